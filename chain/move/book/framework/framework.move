/// The parts of the framework that the Book and its tests use, written for this project: signatures with short bodies. The
/// runner binds natives by address, module and name, so they are those of the chain.
#[defines_primitive(vector)]
module std::vector {
    #[bytecode_instruction] public native fun empty<Element>(): vector<Element>;
    #[bytecode_instruction] public native fun length<Element>(v: &vector<Element>): u64;
    #[bytecode_instruction] public native fun borrow<Element>(v: &vector<Element>, i: u64): &Element;
    #[bytecode_instruction] public native fun push_back<Element>(v: &mut vector<Element>, e: Element);
    #[bytecode_instruction] public native fun pop_back<Element>(v: &mut vector<Element>): Element;
    #[bytecode_instruction] public native fun destroy_empty<Element>(v: vector<Element>);
    public fun contains<Element>(v: &vector<Element>, e: &Element): bool {
        let mut i = 0;
        while (i < length(v)) { if (borrow(v, i) == e) return true; i = i + 1 };
        false
    }
}
module std::option {
    public struct Option<Element> has copy, drop, store { vec: vector<Element> }
    public fun destroy_some<Element>(t: Option<Element>): Element {
        let Option { mut vec } = t;
        let e = std::vector::pop_back(&mut vec);
        std::vector::destroy_empty(vec);
        e
    }
}
module std::bcs { public native fun to_bytes<MoveValue>(v: &MoveValue): vector<u8>; }
#[test_only]
module std::unit_test { public native fun poison(); }

module sui::tx_context {
    public struct TxContext has drop { sender: address, tx_hash: vector<u8>, epoch: u64, epoch_timestamp_ms: u64, ids_created: u64 }
    public fun sender(_self: &TxContext): address { native_sender() }
    public fun epoch(_self: &TxContext): u64 { native_epoch() }
    public fun fresh_object_address(_ctx: &mut TxContext): address { fresh_id() }
    native fun native_sender(): address;
    native fun native_epoch(): u64;
    native fun fresh_id(): address;
    #[test_only] native fun native_rgp(): u64;
    #[test_only] native fun native_gas_price(): u64;
    #[test_only] native fun native_gas_budget(): u64;
    #[test_only] native fun native_sponsor(): vector<address>;
    #[test_only]
    native fun replace(sender: address, tx_hash: vector<u8>, epoch: u64, epoch_timestamp_ms: u64, ids_created: u64, rgp: u64, gas_price: u64, gas_budget: u64, sponsor: vector<address>);
    #[test_only]
    public fun at(sender: address, hint: u64, epoch: u64): TxContext {
        let mut tx_hash = std::bcs::to_bytes(&hint);
        while (std::vector::length(&tx_hash) < 32) std::vector::push_back(&mut tx_hash, 0);
        replace(sender, tx_hash, epoch, 0, 0, native_rgp(), native_gas_price(), native_gas_budget(), native_sponsor());
        TxContext { sender: @0x0, tx_hash, epoch: 0, epoch_timestamp_ms: 0, ids_created: 0 }
    }
}
module sui::object {
    use sui::tx_context::TxContext;
    public struct ID has copy, drop, store { bytes: address }
    public struct UID has store { id: ID }
    public fun new(ctx: &mut TxContext): UID { UID { id: ID { bytes: sui::tx_context::fresh_object_address(ctx) } } }
    public fun id<T: key>(obj: &T): ID { borrow_uid(obj).id }
    public fun uid_to_address(uid: &UID): address { uid.id.bytes }
    public(package) fun new_uid_from_hash(bytes: address): UID { record_new_uid(bytes); UID { id: ID { bytes } } }
    native fun borrow_uid<T: key>(obj: &T): &UID;
    native fun record_new_uid(id: address);
}
module sui::transfer {
    public fun public_transfer<T: key + store>(obj: T, recipient: address) { transfer_impl(obj, recipient) }
    public fun share_object<T: key>(obj: T) { share_object_impl(obj) }
    public(package) native fun share_object_impl<T: key>(obj: T);
    public(package) native fun transfer_impl<T: key>(obj: T, recipient: address);
}
module sui::event {
    public native fun emit<T: copy + drop>(event: T);
}
module sui::dynamic_field {
    use sui::object::{Self, UID};
    public struct Field<Name: copy + drop + store, Value: store> has key { id: UID, name: Name, value: Value }
    public fun add<Name: copy + drop + store, Value: store>(object: &mut UID, name: Name, value: Value) {
        let parent = object::uid_to_address(object);
        let hash = hash_type_and_key(parent, name);
        assert!(!has_child_object(parent, hash), 0);
        add_child_object(parent, Field { id: object::new_uid_from_hash(hash), name, value })
    }
    public fun borrow<Name: copy + drop + store, Value: store>(object: &UID, name: Name): &Value {
        let hash = hash_type_and_key(object::uid_to_address(object), name);
        &borrow_child_object<Field<Name, Value>>(object, hash).value
    }
    public fun borrow_mut<Name: copy + drop + store, Value: store>(object: &mut UID, name: Name): &mut Value {
        let hash = hash_type_and_key(object::uid_to_address(object), name);
        &mut borrow_child_object_mut<Field<Name, Value>>(object, hash).value
    }
    public fun exists_with_type<Name: copy + drop + store, Value: store>(object: &UID, name: Name): bool {
        let parent = object::uid_to_address(object);
        has_child_object_with_ty<Field<Name, Value>>(parent, hash_type_and_key(parent, name))
    }
    native fun hash_type_and_key<K: copy + drop + store>(parent: address, k: K): address;
    native fun add_child_object<Child: key>(parent: address, child: Child);
    native fun borrow_child_object<Child: key>(object: &UID, id: address): &Child;
    native fun borrow_child_object_mut<Child: key>(object: &mut UID, id: address): &mut Child;
    native fun has_child_object(parent: address, id: address): bool;
    native fun has_child_object_with_ty<Child: key>(parent: address, id: address): bool;
}
module sui::table {
    use sui::object::{Self, UID};
    use sui::tx_context::TxContext;
    use sui::dynamic_field as field;
    public struct Table<phantom K: copy + drop + store, phantom V: store> has key, store { id: UID, size: u64 }
    public fun new<K: copy + drop + store, V: store>(ctx: &mut TxContext): Table<K, V> { Table { id: object::new(ctx), size: 0 } }
    public fun add<K: copy + drop + store, V: store>(table: &mut Table<K, V>, k: K, v: V) { field::add(&mut table.id, k, v); table.size = table.size + 1; }
    public fun borrow<K: copy + drop + store, V: store>(table: &Table<K, V>, k: K): &V { field::borrow(&table.id, k) }
    public fun borrow_mut<K: copy + drop + store, V: store>(table: &mut Table<K, V>, k: K): &mut V { field::borrow_mut(&mut table.id, k) }
    public fun contains<K: copy + drop + store, V: store>(table: &Table<K, V>, k: K): bool { field::exists_with_type<K, V>(&table.id, k) }
}
module sui::balance {
    public struct Balance<phantom T> has store { value: u64 }
    public fun value<T>(self: &Balance<T>): u64 { self.value }
    public fun split<T>(self: &mut Balance<T>, value: u64): Balance<T> { assert!(self.value >= value, 2); self.value = self.value - value; Balance { value } }
    #[test_only] public fun create_for_testing<T>(value: u64): Balance<T> { Balance { value } }
}
module sui::coin {
    use sui::balance::{Self, Balance};
    use sui::object::{Self, UID};
    use sui::tx_context::TxContext;
    public struct Coin<phantom T> has key, store { id: UID, balance: Balance<T> }
    public fun value<T>(self: &Coin<T>): u64 { balance::value(&self.balance) }
    public fun split<T>(self: &mut Coin<T>, amount: u64, ctx: &mut TxContext): Coin<T> { from_balance(balance::split(&mut self.balance, amount), ctx) }
    public fun from_balance<T>(balance: Balance<T>, ctx: &mut TxContext): Coin<T> { Coin { id: object::new(ctx), balance } }
    #[test_only] public fun mint_for_testing<T>(value: u64, ctx: &mut TxContext): Coin<T> { from_balance(balance::create_for_testing(value), ctx) }
}
module sui::vec_map {
    public struct Entry<K: copy, V> has copy, drop, store { key: K, value: V }
    public struct VecMap<K: copy, V> has copy, drop, store { contents: vector<Entry<K, V>> }
}
#[test_only]
module sui::test_scenario {
    use std::option::{Self, Option};
    use sui::object::{Self, ID};
    use sui::tx_context::{Self, TxContext};
    use sui::vec_map::VecMap;
    public struct Scenario { txn_number: u64, ctx: TxContext }
    public struct TransactionEffects has drop { created: vector<ID>, written: vector<ID>, deleted: vector<ID>, transferred_to_account: VecMap<ID, address>, transferred_to_object: VecMap<ID, ID>, shared: vector<ID>, frozen: vector<ID>, num_user_events: u64 }
    public fun begin(sender: address): Scenario { Scenario { txn_number: 0, ctx: tx_context::at(sender, 0, 0) } }
    public fun next_tx(s: &mut Scenario, sender: address): TransactionEffects { let epoch = tx_context::epoch(&s.ctx); next(s, sender, epoch) }
    public fun next_epoch(s: &mut Scenario, sender: address): TransactionEffects { let epoch = tx_context::epoch(&s.ctx) + 1; next(s, sender, epoch) }
    fun next(s: &mut Scenario, sender: address, epoch: u64): TransactionEffects {
        s.txn_number = s.txn_number + 1;
        s.ctx = tx_context::at(sender, s.txn_number, epoch);
        end_transaction()
    }
    public fun end(s: Scenario): TransactionEffects { let Scenario { txn_number: _, ctx: _ } = s; end_transaction() }
    public fun ctx(s: &mut Scenario): &mut TxContext { &mut s.ctx }
    public fun return_to_address<T: key>(account: address, t: T) { sui::transfer::transfer_impl(t, account) }
    public fun take_shared<T: key>(s: &Scenario): T { take_shared_by_id(s, option::destroy_some(most_recent_id_shared<T>())) }
    public fun return_shared<T: key>(t: T) { assert!(was_taken_shared(object::id(&t)), 2); sui::transfer::share_object_impl(t) }
    public native fun ids_for_address<T: key>(account: address): vector<ID>;
    public native fun take_from_address_by_id<T: key>(scenario: &Scenario, account: address, id: ID): T;
    public native fun take_shared_by_id<T: key>(scenario: &Scenario, id: ID): T;
    native fun most_recent_id_for_address<T: key>(account: address): Option<ID>;
    native fun most_recent_id_shared<T: key>(): Option<ID>;
    native fun was_taken_shared(id: ID): bool;
    native fun end_transaction(): TransactionEffects;
}
