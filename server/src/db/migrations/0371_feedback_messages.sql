-- Who asked hears of an answer, and who answers of a reply: each in the bell, at once, so nobody switches it off.
insert into message_type (code, name, title, body, variables, channels, can_wait, is_system, is_required)
values (
  'feedback.answered',
  jsonb_build_object('zh', '反馈回复', 'en', 'Answer to feedback', 'fr', 'Réponse à un signalement', 'ko', '문의 답변'),
  jsonb_build_object(
    'zh', '您的反馈 #{{no}} 有新回复',
    'en', 'Your feedback #{{no}} has an answer',
    'fr', 'Votre signalement nº {{no}} a reçu une réponse',
    'ko', '문의 #{{no}}에 답변이 등록되었습니다'),
  jsonb_build_object(
    'zh', '{{words}}（回复请到顶栏“问题反馈 › 我的反馈”）',
    'en', '{{words}} (to reply: top bar, Problem feedback, My feedback)',
    'fr', '{{words}} (pour répondre : barre du haut, Signaler un problème, Mes signalements)',
    'ko', '{{words}} (답글: 상단 문제 신고 › 내 문의)'),
  array['no', 'words'], array['web'], false, true, true),
(
  'feedback.replied',
  jsonb_build_object('zh', '反馈追问', 'en', 'Reply to feedback', 'fr', 'Suite d’un signalement', 'ko', '문의 추가 내용'),
  jsonb_build_object(
    'zh', '{{who}} 就反馈 #{{no}} 回复了您',
    'en', '{{who}} replied about feedback #{{no}}',
    'fr', '{{who}} a répondu au signalement nº {{no}}',
    'ko', '{{who}} 님이 문의 #{{no}}에 답글을 남겼습니다'),
  jsonb_build_object('zh', '{{words}}', 'en', '{{words}}', 'fr', '{{words}}', 'ko', '{{words}}'),
  array['no', 'who', 'words'], array['web'], false, true, true)
on conflict (code) do nothing;
