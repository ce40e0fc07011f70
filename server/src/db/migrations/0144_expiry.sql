-- Which batches a work order is to take out of which places.
create table pull_item (
  order_id bigint not null references repair_order on delete cascade,
  place_id bigint not null references place,
  product_id bigint not null references product,
  batch text not null check (length(batch) between 1 and 120),
  -- By the books when it was asked for.
  quantity int not null check (quantity > 0),
  primary key (order_id, place_id, product_id, batch)
);
create index pull_item_place on pull_item (place_id, product_id, batch);

insert into message_type (code, name, title, body, variables, channels, can_wait, is_system, is_required)
select 'batch.expiry',
  jsonb_build_object(
    'zh', '药品效期提醒',
    'en', 'Expiry of medicines',
    'fr', 'Péremption des médicaments',
    'ko', '의약품 유효기한 알림'),
  jsonb_build_object(
    'zh', '{{expired}} 处药品已过期，{{soon}} 处 30 天内到期',
    'en', '{{expired}} places hold expired medicines, {{soon}} more within 30 days',
    'fr', '{{expired}} emplacements avec des périmés, {{soon}} de plus sous 30 jours',
    'ko', '만료 {{expired}}곳, 30일 이내 {{soon}}곳'),
  jsonb_build_object(
    'zh', '请在“药品期限”里锁定、取回或报损，快到期的降价或取回。',
    'en', 'Lock, pull or write off what has expired, and mark down what soon will.',
    'fr', 'Bloquez, retirez ou détruisez les périmés ; remisez ce qui suit.',
    'ko', '만료된 것은 잠금·회수·폐기하고, 임박한 것은 할인하세요.'),
  '{expired,soon}', '{web}', true, true, false
on conflict (code) do nothing;
