/// The total that a site has paid to each wallet. The Book holds no money: a payer pays from a coin of the payer's own, and
/// what was approved is paid once, no matter who sends it, how often, and when.
module book::book;

use sui::coin::Coin;
use sui::event;
use sui::table::{Self, Table};

const ENotOwner: u64 = 0;
const ENotPayer: u64 = 1;
/// The coin holds less than the payment.
const EShort: u64 = 2;
/// More is missing than the open withdrawals of the wallet: this is another Book, or a total was changed.
const EMore: u64 = 3;

public struct Book<phantom T> has key {
    id: UID,
    owner: address,
    payers: vector<address>,
    paid: Table<address, u64>,
    total_paid: u128,
}

public struct Paid has copy, drop {
    book: ID,
    account: address,
    amount: u64,
    total: u64,
}

public fun new<T>(ctx: &mut TxContext) {
    let owner = ctx.sender();
    let book = Book<T> { id: object::new(ctx), owner, payers: vector[owner], paid: table::new(ctx), total_paid: 0 };
    transfer::share_object(book);
}

/// Pays `account` what is missing to `total`, the sum of all that was ever approved for it, and returns the amount. A total
/// that is paid already pays nothing and does not abort: in a transaction for many, it stops no other.
public fun pay<T>(
    book: &mut Book<T>,
    from: &mut Coin<T>,
    account: address,
    total: u64,
    at_most: u64,
    ctx: &mut TxContext,
): u64 {
    assert!(book.payers.contains(&ctx.sender()), ENotPayer);
    let before = book.paid_to(account);
    if (total <= before) return 0;
    let amount = total - before;
    assert!(amount <= at_most, EMore);
    assert!(amount <= from.value(), EShort);
    if (before == 0) book.paid.add(account, total) else *book.paid.borrow_mut(account) = total;
    book.total_paid = book.total_paid + (amount as u128);
    transfer::public_transfer(from.split(amount, ctx), account);
    event::emit(Paid { book: object::id(book), account, amount, total });
    amount
}

public fun set_payers<T>(book: &mut Book<T>, payers: vector<address>, ctx: &TxContext) {
    assert!(ctx.sender() == book.owner, ENotOwner);
    book.payers = payers;
}

public fun set_owner<T>(book: &mut Book<T>, owner: address, ctx: &TxContext) {
    assert!(ctx.sender() == book.owner, ENotOwner);
    book.owner = owner;
}

public fun paid_to<T>(book: &Book<T>, account: address): u64 {
    if (book.paid.contains(account)) *book.paid.borrow(account) else 0
}

public fun total_paid<T>(book: &Book<T>): u128 { book.total_paid }
