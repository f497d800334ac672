/** Move tests of the table of cases: one function for each case. */

const MAX = '18446744073709551615';
const CODES = ['ENotOwner', 'ENotPayer', 'EShort', 'EMore'];
const HEAD = `#[test_only]
module book::book_tests;
use sui::coin::{Self, Coin};
use sui::test_scenario::{Self as ts, Scenario};
use book::book::{Self, Book};
public struct C has drop {}
const OWNER: address = @0xA; const KEY: address = @0xB; const THIEF: address = @0xC;
const ANN: address = @0xA11; const BOB: address = @0xB0B;
fun begin(): Scenario {
    let mut s = ts::begin(OWNER);
    book::new<C>(ts::ctx(&mut s));
    set_payers(&mut s, OWNER, vector[OWNER, KEY]);
    s
}
fun set_payers(s: &mut Scenario, by: address, payers: vector<address>) {
    ts::next_tx(s, by);
    let mut b = ts::take_shared<Book<C>>(s);
    book::set_payers(&mut b, payers, ts::ctx(s));
    ts::return_shared(b);
}
fun set_owner(s: &mut Scenario, by: address, owner: address) {
    ts::next_tx(s, by);
    let mut b = ts::take_shared<Book<C>>(s);
    book::set_owner(&mut b, owner, ts::ctx(s));
    ts::return_shared(b);
}
fun received(s: &mut Scenario, who: address, coins: u64, sum: u64, total_paid: u128) {
    ts::next_tx(s, OWNER);
    let mut ids = ts::ids_for_address<Coin<C>>(who);
    assert!(std::vector::length(&ids) == coins, 101);
    let mut n = 0;
    while (std::vector::length(&ids) > 0) {
        let c = ts::take_from_address_by_id<Coin<C>>(s, who, std::vector::pop_back(&mut ids));
        n = n + coin::value(&c);
        ts::return_to_address(who, c);
    };
    assert!(n == sum, 102);
    let b = ts::take_shared<Book<C>>(s);
    assert!(book::total_paid(&b) == total_paid, 103);
    ts::return_shared(b);
}
`;

const number = (value) => (value === 'MAX' ? MAX : String(value));

function payments({ by, have, pay }) {
  const calls = pay.map(
    ([account, total, atMost, pays]) =>
      `assert!(book::pay(&mut b, &mut c, ${account}, ${number(total)}, ${number(atMost)}, ts::ctx(&mut s)) == ${number(pays)}, 104);`,
  );
  const left = pay.map(([, , , pays]) => number(pays)).join(' - ');
  return `{ ts::next_tx(&mut s, ${by});
        let mut b = ts::take_shared<Book<C>>(&s);
        let mut c = coin::mint_for_testing<C>(${number(have)}, ts::ctx(&mut s));
        ${calls.join('\n        ')}
        assert!(coin::value(&c) == ${number(have)} - ${left}, 105);
        sui::transfer::public_transfer(c, @0xDEAD);
        ts::return_shared(b); };`;
}

function statement(step) {
  if (step.pay) return payments(step);
  if (step.payers) return `set_payers(&mut s, ${step.by}, vector[${step.payers.join(', ')}]);`;
  if (step.owner) return `set_owner(&mut s, ${step.by}, ${step.owner});`;
  if (step.epochs) return 'ts::next_epoch(&mut s, OWNER);'.repeat(step.epochs);
  return `received(&mut s, ${step.account}, ${step.coins}, ${number(step.sum)}, ${number(step.totalPaid)});`;
}

export function bookTests(cases) {
  const functions = cases.map(({ title, steps }) => {
    const code = steps.at(-1).aborts;
    const attribute = code === undefined ? '#[test]' : `#[test, expected_failure(abort_code = book::${CODES[code]})]`;
    const name = title.toLowerCase().replaceAll(/\W+/g, '_');
    return `${attribute}\nfun ${name}() {\n    let mut s = begin();\n    ${steps.map(statement).join('\n    ')}\n    ts::end(s);\n}\n`;
  });
  return `${HEAD}${functions.join('')}`;
}
