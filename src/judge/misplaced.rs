//! A passage that has the claim's words and says it of something else: each sign in turn, with what a writer is told of it.

use super::case::Case;
use super::{clauses, designated, exchanged, labels, limited, pieces, roles, subject, swapped, tally, undone, whose};

/// The sentence that has the claim's words and says it of others, with what a writer is told of it.
pub(super) fn misplaced(case: &Case<'_, '_, '_>) -> Option<(usize, &'static str)> {
    let with = |reason| move |sentence| (sentence, reason);
    let reversed = roles::reversed(case.claim, case.words, case.index, case.windows);
    let reversed = reversed.map(with("the source has the names the other way round"));
    let others = || whose::said_of_others(case).map(with("the source says it of others whom it names"));
    let values = || exchanged::said_of_each_other(case).map(with("the source has the values the other way round"));
    let row = || whose::said_of_another_in_the_row(case).map(with("the source says it of another one in the row"));
    let part = || whose::said_in_the_part_before(case).map(with("the source says it of what it sets this off against"));
    let plan = || whose::said_to_be_planned(case).map(with("the source speaks of it as a plan or a forecast"));
    let denied = || undone::denied_there(case).map(with("the source denies it"));
    let open = || undone::still_open(case).map(with("the source says that it is still open"));
    let ranked = || undone::ranked_lower(case).map(with("the source puts it in a later place"));
    let top =
        || undone::not_alone_at_the_top(case).map(with("only one of the two puts it in a later place or among others"));
    let some = || undone::said_of_some(case).map(with("the source says it of some of them only"));
    let turned = || undone::moves_the_other_way(case).map(with("the source says that it went the other way"));
    let fewer = || undone::said_of_fewer_than_half(case).map(with("the source says it of fewer than half"));
    let not_all = || undone::said_of_not_all(case).map(with("the source does not say it of all of them"));
    let name = || undone::said_of_another_name(case).map(with("the source says it of others whom it names"));
    let label = || labels::numbered_otherwise(case).map(with("the source has it with another number"));
    let sign = || designated::said_of_another(case).map(with("the source says it of another one of that name"));
    let possible = || limited::said_to_be_possible(case).map(with("the source only calls it possible"));
    let ended = || limited::said_to_have_ended(case).map(with("the source says until when it was so"));
    let condition = || limited::said_on_a_condition(case).map(with("the source says it on a condition"));
    let number =
        || tally::counted_otherwise(case).map(with("the source has another number of it, or has it for others"));
    let subject = || subject::said_in_anothers_part(case).map(with("the source says it of what another part is about"));
    let pieces = || {
        let cut = pieces::Cut::of(case);
        let order = swapped::said_the_other_way_round(&cut).map(with("the source has it the other way round"));
        order.or_else(|| clauses::said_of_something_else(&cut).map(with("the source says it of something else")))
    };
    reversed
        .or_else(others)
        .or_else(values)
        .or_else(row)
        .or_else(part)
        .or_else(plan)
        .or_else(possible)
        .or_else(ended)
        .or_else(condition)
        .or_else(denied)
        .or_else(open)
        .or_else(ranked)
        .or_else(top)
        .or_else(some)
        .or_else(turned)
        .or_else(fewer)
        .or_else(not_all)
        .or_else(name)
        .or_else(label)
        .or_else(sign)
        .or_else(number)
        .or_else(subject)
        .or_else(pieces)
}
