-- What administrators set without a release: pictures, settings, agreements, dictionaries and the product's words.

-- Who uploaded what; the file is DATA_DIR/pictures/<name>, named by the hash of its bytes.
create table picture_upload (
  id bigint generated always as identity primary key,
  name text not null check (name ~ '^[0-9a-f]{64}\.(jpg|png)$'),
  merchant_id bigint not null references merchant,
  uploaded_by bigint not null references app_user,
  uploaded_at timestamptz not null,
  bytes int not null check (bytes > 0),
  width int not null check (width > 0),
  height int not null check (height > 0)
);
create index picture_upload_user on picture_upload (uploaded_by, uploaded_at);
create index picture_upload_name on picture_upload (name);

-- A value that somebody chose for a merchant and all below it; of the platform where there is no merchant.
create table setting (
  key text not null,
  merchant_id bigint references merchant,
  value jsonb not null,
  version int not null default 1,
  changed_at timestamptz,
  changed_by bigint references app_user,
  unique nulls not distinct (key, merchant_id)
);
create index setting_merchant on setting (merchant_id);

-- What users agree to before they go on. A published version is what people said yes to: it never changes again.
create table agreement (
  id bigint generated always as identity primary key,
  -- Counts what was published; a draft has none.
  number int unique check (number > 0),
  state text not null default 'draft' check (state in ('draft', 'published')),
  title_zh text not null check (length(title_zh) between 1 and 80),
  title_en text not null default '' check (length(title_en) <= 80),
  title_fr text not null default '' check (length(title_fr) <= 80),
  title_ko text not null default '' check (length(title_ko) <= 80),
  body_zh text not null check (length(body_zh) between 1 and 20000),
  body_en text not null default '' check (length(body_en) <= 20000),
  body_fr text not null default '' check (length(body_fr) <= 20000),
  body_ko text not null default '' check (length(body_ko) <= 20000),
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint references app_user,
  published_at timestamptz,
  published_by bigint references app_user,
  check ((state = 'published') = (number is not null)),
  check ((state = 'published') = (published_at is not null)),
  check (state = 'draft' or (title_en <> '' and title_fr <> '' and title_ko <> ''
    and body_en <> '' and body_fr <> '' and body_ko <> ''))
);

create table agreement_acceptance (
  agreement_id bigint not null references agreement,
  user_id bigint not null references app_user,
  accepted_at timestamptz not null,
  ip text not null,
  language text not null,
  primary key (agreement_id, user_id)
);
create index agreement_acceptance_user on agreement_acceptance (user_id);

-- Lists of words that people choose from. A type of the platform may let merchants add items of their own, which are
-- then seen by the merchant and all below it.
create table dictionary_type (
  id bigint generated always as identity primary key,
  code text not null unique check (code ~ '^[a-z][A-Za-z0-9]{1,39}$'),
  zh text not null check (length(zh) between 1 and 60),
  en text not null default '' check (length(en) <= 60),
  fr text not null default '' check (length(fr) <= 60),
  ko text not null default '' check (length(ko) <= 60),
  remark text not null default '' check (length(remark) <= 200),
  allows_merchants boolean not null default false,
  -- The product itself asks for it by its code.
  is_system boolean not null default false,
  sort int not null default 0,
  version int not null default 1
);

create table dictionary_item (
  id bigint generated always as identity primary key,
  type_id bigint not null references dictionary_type,
  merchant_id bigint references merchant,
  code text not null check (code ~ '^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$'),
  zh text not null check (length(zh) between 1 and 60),
  en text not null default '' check (length(en) <= 60),
  fr text not null default '' check (length(fr) <= 60),
  ko text not null default '' check (length(ko) <= 60),
  sort int not null default 0,
  is_on boolean not null default true,
  version int not null default 1,
  unique nulls not distinct (type_id, merchant_id, code)
);
create index dictionary_item_merchant on dictionary_item (merchant_id);

-- The product's words as this installation says them; null leaves a language as it is shipped.
create table text_override (
  namespace text not null,
  key text not null,
  zh text check (length(zh) between 1 and 2000),
  en text check (length(en) between 1 and 2000),
  fr text check (length(fr) between 1 and 2000),
  ko text check (length(ko) between 1 and 2000),
  version int not null default 1,
  changed_at timestamptz not null,
  changed_by bigint not null references app_user,
  primary key (namespace, key)
);

-- Raised by each change, so that a page knows whether it has the newest words.
create table text_version (
  is_only boolean primary key default true check (is_only),
  number int not null
);

create function agreement_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'agreement % is published', old.id using errcode = 'check_violation';
end $$;
create trigger agreement_published before update or delete on agreement
  for each row when (old.state = 'published') execute function agreement_refuse_change();

insert into text_version (number) values (0);

insert into dictionary_type (code, zh, en, fr, ko, remark, allows_merchants, is_system, sort) values
  ('merchantCategory', '商户分类', 'Merchant categories', 'Catégories de commerçants', '가맹점 분류', '商户资料中的分类',
    false, true, 10),
  ('merchantTag', '商户标签', 'Merchant tags', 'Étiquettes de commerçants', '가맹점 태그', '商户资料中的标签，可多选', true, true, 20),
  ('machineTag', '机器标签', 'Machine tags', 'Étiquettes de machines', '기기 태그', '给机器分组和筛选用', true, true, 30),
  ('productUnit', '商品单位', 'Product units', 'Unités de produit', '상품 단위', '商品资料中的计量单位', true, true, 40),
  ('productTag', '商品标签', 'Product tags', 'Étiquettes de produits', '상품 태그', '商品资料中的标签', true, true, 50),
  ('refundReason', '退款原因', 'Refund reasons', 'Motifs de remboursement', '환불 사유', '发起退款时选择的原因', true, true, 60),
  ('stopReason', '停售原因', 'Reasons to stop sales', 'Motifs d’arrêt des ventes', '판매 중지 사유', '机器停售时选择的原因',
    true, true, 70),
  ('documentKind', '单据类型', 'Document kinds', 'Types de documents', '전표 유형', '进销存单据的类型', false, true, 80),
  ('feedbackKind', '反馈类型', 'Feedback kinds', 'Types de retours', '문의 유형', '问题反馈的类型', false, true, 90);

insert into dictionary_item (type_id, code, zh, en, fr, ko, sort)
select type.id, item.code, item.zh, item.en, item.fr, item.ko, item.sort
from (values
  ('merchantCategory', 'hospital', '医院', 'Hospital', 'Hôpital', '병원', 10),
  ('merchantCategory', 'pharmacy', '药店', 'Pharmacy', 'Pharmacie', '약국', 20),
  ('merchantCategory', 'convenience', '便利零售', 'Convenience retail', 'Commerce de proximité', '편의점 소매', 30),
  ('merchantCategory', 'school', '学校', 'School', 'École', '학교', 40),
  ('merchantCategory', 'office', '企业园区', 'Office park', 'Parc d’entreprises', '업무 단지', 50),
  ('merchantCategory', 'transport', '交通枢纽', 'Transport hub', 'Pôle de transport', '교통 거점', 60),
  ('merchantTag', 'key', '重点客户', 'Key account', 'Client clé', '핵심 고객', 10),
  ('merchantTag', 'chain', '连锁', 'Chain', 'Chaîne', '체인', 20),
  ('merchantTag', 'trial', '试用期', 'On trial', 'À l’essai', '시험 운영', 30),
  ('merchantTag', 'franchise', '加盟', 'Franchise', 'Franchise', '프랜차이즈', 40),
  ('machineTag', 'indoor', '室内', 'Indoors', 'Intérieur', '실내', 10),
  ('machineTag', 'outdoor', '室外', 'Outdoors', 'Extérieur', '실외', 20),
  ('machineTag', 'allDay', '24 小时', '24 hours', '24 h/24', '24시간', 30),
  ('productUnit', 'bottle', '瓶', 'bottle', 'bouteille', '병', 10),
  ('productUnit', 'box', '盒', 'box', 'boîte', '상자', 20),
  ('productUnit', 'bag', '袋', 'bag', 'sachet', '봉지', 30),
  ('productUnit', 'can', '罐', 'can', 'canette', '캔', 40),
  ('productUnit', 'piece', '个', 'piece', 'pièce', '개', 50),
  ('productUnit', 'strip', '板', 'strip', 'plaquette', '판', 60),
  ('productTag', 'new', '新品', 'New', 'Nouveau', '신상품', 10),
  ('productTag', 'popular', '热销', 'Popular', 'Populaire', '인기', 20),
  ('productTag', 'seasonal', '季节款', 'Seasonal', 'De saison', '계절 상품', 30),
  ('refundReason', 'jam', '卡货', 'Jam', 'Blocage', '걸림', 10),
  ('refundReason', 'timeout', '出货超时', 'Dispensing timeout', 'Délai de distribution dépassé', '배출 시간 초과', 20),
  ('refundReason', 'quality', '商品质量问题', 'Product quality', 'Qualité du produit', '상품 품질', 30),
  ('refundReason', 'mistake', '误购', 'Bought by mistake', 'Achat par erreur', '잘못 구매', 40),
  ('refundReason', 'other', '其他', 'Other', 'Autre', '기타', 90),
  ('stopReason', 'maintenance', '检修', 'Maintenance', 'Maintenance', '정비', 10),
  ('stopReason', 'relocation', '移机', 'Relocation', 'Déplacement', '이전', 20),
  ('stopReason', 'siteClosed', '场地关闭', 'Site closed', 'Site fermé', '장소 폐쇄', 30),
  ('documentKind', 'purchase', '采购单', 'Purchase order', 'Bon de commande', '구매 전표', 10),
  ('documentKind', 'inbound', '入库单', 'Receipt note', 'Bon d’entrée', '입고 전표', 20),
  ('documentKind', 'outbound', '出库单', 'Issue note', 'Bon de sortie', '출고 전표', 30),
  ('documentKind', 'loss', '报损单', 'Loss report', 'Rapport de perte', '손실 전표', 40),
  ('documentKind', 'replenishment', '补货单', 'Replenishment note', 'Bon de réassort', '보충 전표', 50),
  ('feedbackKind', 'machine', '机器故障', 'Machine fault', 'Panne de machine', '기기 고장', 10),
  ('feedbackKind', 'order', '订单与退款', 'Order or refund', 'Commande ou remboursement', '주문·환불', 20),
  ('feedbackKind', 'software', '系统使用', 'Using the system', 'Utilisation du système', '시스템 사용', 30),
  ('feedbackKind', 'suggestion', '建议', 'Suggestion', 'Suggestion', '제안', 40)
) as item(type, code, zh, en, fr, ko, sort) join dictionary_type type on type.code = item.type;

-- The months that are needed at once; a job sees to those to come.
select ensure_partitions(current_date - 1, current_date + 31);
