/// Signatures of the framework that the coin uses, so that it compiles without a network. Only names, abilities and types
/// count: the bytes of the coin refer to the modules of the chain at 0x1 and 0x2.
module std::option {
    public struct Option<Element> has copy, drop, store {
        vec: vector<Element>,
    }

    public fun none<Element>(): Option<Element> {
        abort 0
    }
}

module sui::url {
    public struct Url has copy, drop, store {
        dummy: bool,
    }
}

module sui::object {
    public struct UID has store {
        dummy: bool,
    }
}

module sui::tx_context {
    public struct TxContext has drop {
        dummy: bool,
    }

    public fun sender(_self: &TxContext): address {
        abort 0
    }
}

module sui::transfer {
    public fun public_transfer<T: key + store>(_obj: T, _recipient: address) {
        abort 0
    }
}

module sui::coin {
    use std::option::Option;
    use sui::object::UID;
    use sui::tx_context::TxContext;
    use sui::url::Url;

    public struct Coin<phantom T> has key, store {
        id: UID,
    }

    public struct CoinMetadata<phantom T> has key, store {
        id: UID,
    }

    public struct TreasuryCap<phantom T> has key, store {
        id: UID,
    }

    public fun create_currency<T: drop>(
        _witness: T,
        _decimals: u8,
        _symbol: vector<u8>,
        _name: vector<u8>,
        _description: vector<u8>,
        _icon_url: Option<Url>,
        _ctx: &mut TxContext,
    ): (TreasuryCap<T>, CoinMetadata<T>) {
        abort 0
    }

    public fun mint<T>(_cap: &mut TreasuryCap<T>, _value: u64, _ctx: &mut TxContext): Coin<T> {
        abort 0
    }
}
