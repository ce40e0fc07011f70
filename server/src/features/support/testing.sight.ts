import { sql } from 'kysely'
import { inserted } from '../../testing/inserted'
import type { SightCells } from '../../testing/sightCells'

export const sight: SightCells = {
  hangsOn: {
    feedback: 'merchant',
    'own-feedback': 'user',
    'customer-cases': 'machine',
    solutions: 'everybody',
    faqs: 'everybody',
  },
  fields: {
    'support.assignFeedback.assigneeId': 'users',
    'support.addFeedback.seen.open': null,
    // Everybody's; whether it fits is asked of the case.
    solutionId: null,
  },
  platformsAlone: {
    'support.addFaq': 'request.notFound',
    'support.editFaq': 'request.notFound',
    'support.publishFaq': 'request.notFound',
    'support.withdrawFaq': 'request.notFound',
    'support.removeFaq': 'request.notFound',
    'support.addSolution': 'request.notFound',
    'support.editSolution': 'request.notFound',
    'support.stopSolution': 'request.notFound',
    'support.resumeSolution': 'request.notFound',
    'support.removeSolution': 'request.notFound',
  },
  // No fault of the family has a solution.
  nothingThere: ['support.judgeAlarmSolution', 'support.judgeRepairOrderSolution', 'support.judgeFeedbackSolution'],
  rows: {
    faqs: (db, { at }) =>
      inserted(
        db,
        sql`insert into faq (topic, question_zh, answer_zh, created_at) values ('other', 'Where?', 'There.', ${at})`,
      ),
    solutions: (db, { at }) =>
      inserted(
        db,
        sql`insert into solution (name, cause, steps, created_at)
          select 'Solution ' || count(*), 'cloned', 'Turn it.', ${at} from solution`,
      ),
    feedback: async (db, { merchantId, mark, at, idOf }) =>
      inserted(
        db,
        sql`insert into feedback (merchant_id, user_id, kind, body, due_at, created_at)
          values (${merchantId}, ${await idOf('users')}, 'problem', ${`${mark} is broken`}, ${at}, ${at})`,
      ),
    'own-feedback': async (_, { idOf }) => idOf('feedback'),
    'customer-cases': async (db, { merchantId, machines, mark, at }) =>
      inserted(
        db,
        sql`insert into customer_case (merchant_id, machine_id, token_hash, kind, amount_fen, happened_at, body,
            language, due_at, open_since, created_at)
          values (${merchantId}, ${machines[0]?.id}, sha256(convert_to(gen_random_uuid()::text, 'utf8')), 'nothing',
            500, ${at}, ${`${mark} fell`}, 'en', ${at}, ${at}, ${at})`,
      ),
  },
}
