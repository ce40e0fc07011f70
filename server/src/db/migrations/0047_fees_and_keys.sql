-- What a job did stands in the log without a person.
alter table audit_log alter column user_id drop not null;

-- A rule that ends by itself, and why it was agreed. The terms of a rule are never changed: another takes its place.
alter table fee_rule add column valid_to date check (valid_to >= valid_from);
alter table fee_rule add column reason text not null default '' check (length(reason) <= 200);
create function fee_rule_kept() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if (to_jsonb(old) - 'valid_to') is distinct from (to_jsonb(new) - 'valid_to') then
      raise exception 'the terms of fee rule % stay as they are', old.id using errcode = 'check_violation';
    end if;
    return new;
  end if;
  if exists (select 1 from settlement s join merchant m on m.id = s.merchant_id
      where s.business_day >= old.valid_from and (old.merchant_id is null or old.merchant_id = any(m.path))) then
    raise exception 'fee rule % has been settled by', old.id using errcode = 'check_violation';
  end if;
  return old;
end $$;
create trigger fee_rule_kept before update or delete on fee_rule for each row execute function fee_rule_kept();

insert into message_type (code, name, title, body, variables, channels, can_wait, is_system, is_required) values
  ('providerKey.expiring',
    '{"zh": "支付证书到期提醒", "en": "Payment certificate expiring", "fr": "Certificat de paiement bientôt expiré", "ko": "결제 인증서 만료 알림"}',
    '{"zh": "{{account}}的{{key}}即将到期", "en": "{{key}} of {{account}} expires soon", "fr": "{{key}} de {{account}} expire bientôt", "ko": "{{account}}의 {{key}} 만료 예정"}',
    '{"zh": "{{merchant}}在{{provider}}的账户“{{account}}”：{{key}}将于 {{day}} 到期，还有 {{days}} 天。到期后无法收款和退款，请尽快更换。", "en": "{{provider}} account “{{account}}” of {{merchant}}: {{key}} expires on {{day}}, in {{days}} days. Nothing can be collected or refunded after that; please replace it.", "fr": "Compte {{provider}} « {{account}} » de {{merchant}} : {{key}} expire le {{day}}, dans {{days}} jours. Ensuite, ni encaissement ni remboursement ; veuillez le remplacer.", "ko": "{{merchant}}의 {{provider}} 계정 “{{account}}”: {{key}}이(가) {{day}}에 만료됩니다({{days}}일 남음). 만료되면 수납과 환불이 되지 않으니 교체해 주세요."}',
    '{merchant,provider,account,key,day,days}', '{web}', false, true, false);
