-- A board shows what its key shows, for as long as the key does: asked at each push, not remembered. Boards that are
-- open now register again.
delete from board_client;
alter table board_client drop column merchant_id;
alter table board_client add column key_hash bytea;

-- Commands end within days; orders keep what they came to. By age they are forgotten like the messages.
create index device_command_age on device_command using brin (created_at);
