/// The coin in which a site pays its Snaps. Publishing makes it: the capability to mint, the metadata and the first supply
/// go to the wallet that publishes. The server replaces all constants but the description (`server/money/coin/module.ts`);
/// their values here cannot be entered by a person.
///
/// `coin_registry` would need a second transaction before a node knows the coin. Anyone can enter it there later.
#[allow(deprecated_usage)]
module snaps::snaps;

use sui::coin;

public struct SNAPS has drop {}

const DECIMALS: u8 = 255;
const SYMBOL: vector<u8> = b"SYMBOL, SET FOR EACH SITE";
const NAME: vector<u8> = b"The name of the coin, set for each site";
const DESCRIPTION: vector<u8> = b"Earned by voting. The public record of the site accounts for each one.";
const FIRST_SUPPLY: u64 = 18446744073709551615;

fun init(witness: SNAPS, ctx: &mut TxContext) {
    let (mut treasury, metadata) = coin::create_currency(
        witness,
        DECIMALS,
        SYMBOL,
        NAME,
        DESCRIPTION,
        option::none(),
        ctx,
    );
    let owner = ctx.sender();
    transfer::public_transfer(treasury.mint(FIRST_SUPPLY, ctx), owner);
    transfer::public_transfer(treasury, owner);
    transfer::public_transfer(metadata, owner);
}
