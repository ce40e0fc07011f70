-- Of a period, for how long machines were silent: those alarms of silence that lasted into it, whatever their age.
create index alarm_silence on alarm (coalesce(closed_at, 'infinity'::timestamptz)) where cause = 'offline';

-- How whole the data is that a kept report was made of. Words that somebody changed stay as they are.
update message_type set variables = variables || '{whole}'::text[] where code = 'report.kept';
update message_type set body =
  '{"zh": "{{days}}，共 {{rows}} 行，下载至 {{until}}：{{link}}。{{whole}}", "en": "{{days}}, {{rows}} rows, to be downloaded until {{until}}: {{link}} {{whole}}", "fr": "{{days}}, {{rows}} lignes, à télécharger jusqu’au {{until}} : {{link}} {{whole}}", "ko": "{{days}}, {{rows}}행, {{until}}까지 다운로드: {{link}} {{whole}}"}'
where code = 'report.kept' and body =
  '{"zh": "{{days}}，共 {{rows}} 行，下载至 {{until}}：{{link}}", "en": "{{days}}, {{rows}} rows, to be downloaded until {{until}}: {{link}}", "fr": "{{days}}, {{rows}} lignes, à télécharger jusqu’au {{until}} : {{link}}", "ko": "{{days}}, {{rows}}행, {{until}}까지 다운로드: {{link}}"}';
