-- Boards that are alive are counted by the network that they registered from, so that nobody fills the table.
alter table board_client add column network text not null default '';
create index board_client_network on board_client (network, seen_at);
