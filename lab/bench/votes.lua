-- wrk: votes of many users, each pair of user and project once. Arguments:
--   first user, number of users, first round, rounds, number of projects, first hot project (0: all alike), name of the cookie
-- Round r of user u votes on project (u * 7919 + r * 104729) mod projects + 1, or on hot project r. Users come in an order that jumps
-- about (multiplication by a number coprime to their count), as people do.
local first, users, round, rounds, projects, hot, cookie
local n = 0

function init(args)
  first, users, round, rounds, projects, hot = tonumber(args[1]), tonumber(args[2]), tonumber(args[3]),
    tonumber(args[4]), tonumber(args[5]), tonumber(args[6])
  cookie = args[7]
end

function request()
  local k = math.floor(n / users)
  if k >= rounds then k = rounds - 1 end
  local user = first + (n % users) * 611953 % users
  n = n + 1
  local project
  if hot > 0 then project = hot + (k + user) % 3 else project = (user * 7919 + (round + k) * 104729) % projects + 1 end
  local body = '{"userId":' .. user .. ',"projectId":' .. project .. ',"voteType":"' ..
    (n % 3 == 0 and 'bearish' or 'bullish') .. '","tokensEarned":10}'
  return 'POST /api/votes HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nCookie: ' .. cookie .. '=bench-' .. user ..
    '\r\nContent-Length: ' .. #body .. '\r\n\r\n' .. body
end

function done(summary, latency)
  io.write(string.format('RESULT {"requests":%d,"refused":%d,"broken":%d,"seconds":%.6f,"p50Ms":%.3f,"p99Ms":%.3f}\n',
    summary.requests, summary.errors.status,
    summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout,
    summary.duration / 1e6, latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
