-- wrk: the requests of a file in turn. Argument: a Lua file that returns a list of whole HTTP requests.
local requests
local n = 0

function init(args)
  requests = dofile(args[1])
end

function request()
  n = n % #requests + 1
  return requests[n]
end

function done(summary, latency)
  io.write(string.format('RESULT {"requests":%d,"refused":%d,"broken":%d,"seconds":%.6f,"p50Ms":%.3f,"p99Ms":%.3f}\n',
    summary.requests, summary.errors.status,
    summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout,
    summary.duration / 1e6, latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
