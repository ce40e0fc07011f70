-- A sentence that goes on after an address is taken into it by who reads mail; what was written otherwise stays.
update message_type set body = jsonb_build_object(
  'zh', '{{days}}，共 {{rows}} 行，下载至 {{until}}。{{whole}} {{link}}',
  'en', '{{days}}, {{rows}} rows, to be downloaded until {{until}}. {{whole}} {{link}}',
  'fr', '{{days}}, {{rows}} lignes, à télécharger jusqu’au {{until}}. {{whole}} {{link}}',
  'ko', '{{days}}, {{rows}}행, {{until}}까지 다운로드. {{whole}} {{link}}')
where code = 'report.kept' and body = jsonb_build_object(
  'zh', '{{days}}，共 {{rows}} 行，下载至 {{until}}：{{link}}。{{whole}}',
  'en', '{{days}}, {{rows}} rows, to be downloaded until {{until}}: {{link}} {{whole}}',
  'fr', '{{days}}, {{rows}} lignes, à télécharger jusqu’au {{until}} : {{link}} {{whole}}',
  'ko', '{{days}}, {{rows}}행, {{until}}까지 다운로드: {{link}} {{whole}}');
