import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { screenAt } from '@aisle/contract/screens'
import { feedbackFields, getFeedback } from '@aisle/contract/support/feedback'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { Ago, When } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { CaseSolutions } from '../../shelf/caseSolutions'
import { Conversation } from '../../shelf/conversation'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { useText } from '../../ui/text'
import { FeedbackVerbs } from './feedbackVerbs'
import lined from '../../shelf/lines.module.css'
import styles from './support.module.css'

export type FeedbackDetail = OutputOf<typeof getFeedback>

/** What was said, by whom, where they were and what they saw; what was answered; what else they asked. */
export function FeedbackDrawer({ id }: DrawerRow) {
  const t = useText('support')
  const result = useEndpoint(getFeedback, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={() => t('feedback.one', { id })}
      head={({ state, kind }) => (
        <div className="tags">
          <StateCell value={state} field={feedbackFields.state} t={t} />
          <StateCell value={kind} field={feedbackFields.kind} t={t} />
        </div>
      )}
      actions={(feedback) => <FeedbackVerbs feedback={feedback} />}
    >
      {(feedback) => (
        <>
          <p className={styles.said}>{feedback.body}</p>
          <FeedbackFacts feedback={feedback} />
          <Section title={t('section.words')}>
            <Conversation words={feedback.words} />
          </Section>
          <CaseSolutions of="feedback" id={id} hasFault={feedback.fault !== null} />
          {feedback.others.length > 0 && <Others feedback={feedback} />}
        </>
      )}
    </RowDrawer>
  )
}

function FeedbackFacts({ feedback }: { feedback: FeedbackDetail }) {
  const t = useText('support')
  const { seen, dueAt, closedAt, contact } = feedback
  return (
    <Facts
      facts={[
        { label: t('field.userName'), value: `${feedback.userName} · ${feedback.merchantName}` },
        { label: t('field.contact'), value: contact },
        { label: t('field.assigneeName'), value: feedback.assigneeName },
        { label: t('field.dueAt'), value: dueAt && <When at={dueAt} /> },
        { label: t('field.createdAt'), value: <When at={feedback.createdAt} /> },
        { label: t('field.closedAt'), value: closedAt && <When at={closedAt} /> },
        { label: t('field.fault'), value: feedback.fault && t(`cause.${feedback.fault}`) },
        { label: t('field.page'), value: <Where feedback={feedback} /> },
        { label: t('field.opened'), value: seen.opened },
        { label: t('field.failure'), value: seen.failure },
        { label: t('field.browser'), value: [seen.language, seen.window, seen.agent].filter(Boolean).join(' · ') },
      ]}
    />
  )
}

/** The page as it was: with the same row open. */
function Where({ feedback: { page, seen } }: { feedback: FeedbackDetail }) {
  const titles = useText('screens')
  const screen = screenAt(page)
  if (!screen) return page
  return (
    <ScreenLink screen={screen.key} search={seen.open === null ? {} : { open: String(seen.open) }}>
      {seen.heading || titles.any(screen.key)}
    </ScreenLink>
  )
}

function Others({ feedback: { others } }: { feedback: FeedbackDetail }) {
  const t = useText('support')
  return (
    <Section title={t('section.others')}>
      <ul className={lined.lines}>
        {others.map(({ id, body, state, createdAt }) => (
          <li key={id}>
            <ScreenLink screen="shkf/wtfk" search={{ open: String(id) }}>
              {body}
            </ScreenLink>
            <StateCell value={state} field={feedbackFields.state} t={t} />
            <Ago at={createdAt} />
          </li>
        ))}
      </ul>
    </Section>
  )
}
