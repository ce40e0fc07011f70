-- Machines whose customers cannot pay are found from the few attempts that failed, and the last ones of each.
create index payment_attempt_failed on payment_attempt (created_at) where state in ('failed', 'unknown');
create index payment_attempt_machine on payment_attempt (machine_id, created_at)
  where state in ('paid', 'failed', 'unknown');
