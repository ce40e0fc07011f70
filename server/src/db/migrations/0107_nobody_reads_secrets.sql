-- A first password is read out of the outbox by nobody any more: who makes it where no SMS is carried gets it once.
delete from role_permission where permission = 'pushMessage.reveal';
delete from resource_off where code = 'pushMessage.reveal';
