-- Medicines are entered by people: what their codes begin with, and the forms in which they are taken.

-- What a trace code begins with, by the pack that bears it: each level has codes of its own.
create table medicine_trace_prefix (
  product_id bigint not null references product on delete cascade,
  level text not null check (level in ('pack', 'middle', 'case')),
  prefix text not null check (prefix ~ '^[A-Za-z0-9]{3,20}$'),
  primary key (product_id, level, prefix)
);
create index medicine_trace_prefix_found on medicine_trace_prefix (prefix);

insert into dictionary_type (code, zh, en, fr, ko, remark, allows_merchants, is_system, sort) values
  ('dosageForm', '药品剂型', 'Dosage forms', 'Formes galéniques', '제형', '药品资料中的剂型', true, true, 55)
on conflict do nothing;
insert into dictionary_item (type_id, code, zh, en, fr, ko, sort)
select type.id, item.code, item.zh, item.en, item.fr, item.ko, item.sort
from (values
  ('tablet', '片剂', 'Tablet', 'Comprimé', '정제', 10),
  ('slowTablet', '缓释片', 'Prolonged-release tablet', 'Comprimé à libération prolongée', '서방정', 20),
  ('effervescent', '泡腾片', 'Effervescent tablet', 'Comprimé effervescent', '발포정', 30),
  ('capsule', '胶囊剂', 'Capsule', 'Gélule', '캡슐', 40),
  ('softCapsule', '软胶囊', 'Soft capsule', 'Capsule molle', '연질 캡슐', 50),
  ('slowCapsule', '缓释胶囊', 'Prolonged-release capsule', 'Gélule à libération prolongée', '서방 캡슐', 60),
  ('entericCapsule', '肠溶胶囊', 'Enteric capsule', 'Gélule gastro-résistante', '장용 캡슐', 70),
  ('granules', '颗粒剂', 'Granules', 'Granulés', '과립', 80),
  ('powder', '散剂', 'Powder', 'Poudre', '산제', 90),
  ('pill', '丸剂', 'Pill', 'Pilule', '환제', 100),
  ('oralLiquid', '口服液', 'Oral liquid', 'Solution buvable', '내복액', 110),
  ('syrup', '糖浆剂', 'Syrup', 'Sirop', '시럽', 120),
  ('cream', '乳膏剂', 'Cream', 'Crème', '크림', 130),
  ('ointment', '软膏剂', 'Ointment', 'Pommade', '연고', 140),
  ('eyeDrops', '滴眼剂', 'Eye drops', 'Collyre', '점안액', 150),
  ('spray', '喷雾剂', 'Spray', 'Spray', '스프레이', 160),
  ('patch', '贴膏剂', 'Patch', 'Patch', '첩부제', 170)) item (code, zh, en, fr, ko, sort)
join dictionary_type type on type.code = 'dosageForm'
on conflict do nothing;
