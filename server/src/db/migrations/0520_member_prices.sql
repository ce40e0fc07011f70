-- Plans for holders of cards of some kinds; an empty list says nothing of it.
alter table promotion_plan_version add card_types text[] not null default '{}'
  check (card_types <@ '{ordinary,student,staff,test,gift}');

-- What the holder who pays least is asked at a slot, where that is less than what anybody is: shown openly beside it.
alter table slot_offer
  add member_kinds text[] check (cardinality(member_kinds) > 0 and member_kinds <@ '{rate,amount,fixed}'),
  add member_amounts bigint[],
  add member_version_ids bigint[],
  add check (num_nulls(member_kinds, member_amounts, member_version_ids) in (0, 3)),
  add check (cardinality(member_amounts) = cardinality(member_kinds)),
  drop constraint slot_offer_kinds_check,
  add constraint slot_offer_kinds_check
    check (kinds <@ '{rate,amount,fixed}' and (cardinality(kinds) > 0 or member_kinds is not null));
