import { readMessages } from '@aisle/contract/notice/bell'
import { addNotification, withdrawNotification } from '@aisle/contract/notice/notice'
import { addFeedback, answerFeedback, featureFeedback, solveFeedback } from '@aisle/contract/support/feedback'
import { addFaq, publishFaq } from '@aisle/contract/support/faq'
import { addSolution } from '@aisle/contract/support/solution'
import { seal } from '../../kernel/seal'
import { sealedAbout } from '../../kernel/outbox'
import { HOUR_MS } from '../calendar'
import type { Past } from '../life/within'
import { feedbacks, messages, notices, type NoticeSeed } from '../data/messages'
import { DEMO_OPERATOR } from '../data/merchants'
import { faqs } from '../data/faqs'
import { solutions } from '../data/solutions'

/** Notices in every state, messages as they went out or wait for a provider, and what people said. */
export async function addMessages(past: Past): Promise<void> {
  const { idOf, services, tx, latestMs } = past
  const merchantId = idOf('merchant', DEMO_OPERATOR)
  for (const notice of notices) await publish(past, notice)
  for (const message of messages) {
    const { user, hoursAgo, type, channel, receiver, title, body, state, isSecret = false, error = null } = message
    const at = new Date(latestMs - hoursAgo * HOUR_MS)
    const sealed = isSecret ? seal(services.keys, sealedAbout(receiver), JSON.stringify({ body, vars: null })) : null
    const said = { title, body: isSecret ? '' : body, isSecret, sealedBody: sealed }
    const about = { type, channel, merchantId, userId: idOf('user', user), receiver, state, error, createdAt: at }
    const sent = state === 'sent' ? { sentAt: at, readAt: hoursAgo > 24 ? at : null } : {}
    const failed = state === 'failed' ? { tries: 6, provider: 'smtp' } : {}
    const outbox = tx.insertInto('outboxMessage')
    await outbox.values({ ...about, ...said, nextTryAt: at, ...sent, ...failed }).execute()
  }
  for (const feedback of feedbacks) await tell(past, feedback)
  for (const solution of solutions) await past.as('admin', addSolution, solution)
  for (const faq of faqs) await past.as('admin', publishFaq, await past.as('admin', addFaq, faq))
}

/** Told from a page, and answered by support as it would be. */
async function tell({ as, at, latestMs }: Past, feedback: (typeof feedbacks)[number]): Promise<void> {
  const { user, hoursAgo, answeredAfter, asks, answer, isSolved, isEssence, ...said } = feedback
  at(latestMs - hoursAgo * HOUR_MS)
  const { id } = await as(user, addFeedback, said)
  if (!answer) return
  at(latestMs - (hoursAgo - answeredAfter) * HOUR_MS)
  if (isSolved) await as('admin', solveFeedback, { id, body: answer })
  else await as('admin', answerFeedback, { id, body: answer, isQuestion: asks })
  if (isEssence) await as('admin', featureFeedback, { id })
}

/** Written, sent and read as they would be: two of three people read a notice within the first hours. */
async function publish({ as, at, run, tx, latestMs }: Past, notice: NoticeSeed): Promise<void> {
  const { title, body, translations = {}, type, state, hoursAgo, merchants = [] } = notice
  const writtenMs = latestMs - hoursAgo * HOUR_MS
  at(writtenMs)
  const kind = await tx.selectFrom('messageType').select('id').where('code', '=', type).executeTakeFirstOrThrow()
  const words = { title, body, translations, typeId: kind.id, channels: ['web' as const] }
  const target = merchants.length > 0 ? ('merchants' as const) : ('all' as const)
  const meant = { target, merchantCodes: merchants.join(), withChildren: true }
  const later = { send: 'later' as const, sendAt: new Date(latestMs + 20 * HOUR_MS).toISOString() }
  const send = state === 'draft' ? { send: 'draft' as const } : state === 'scheduled' ? later : {}
  const { id } = await as('admin', addNotification, { ...words, ...meant, ...send })
  if (state === 'draft' || state === 'scheduled') return
  await run('notice.send', { id })
  const delivered = await tx
    .selectFrom('outboxMessage as m')
    .innerJoin('appUser as u', 'u.id', 'm.userId')
    .select(['m.id', 'u.account'])
    .where('m.notificationId', '=', id)
    .execute()
  at(writtenMs + 2 * HOUR_MS)
  for (const message of delivered)
    if (message.id % 3 > 0) await as(message.account, readMessages, { ids: [message.id] })
  if (state === 'withdrawn') await as('admin', withdrawNotification, { id })
}
