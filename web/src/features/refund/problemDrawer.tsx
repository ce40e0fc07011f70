import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { getProblem, problemFields } from '@aisle/contract/refund/problem'
import { refundFields } from '@aisle/contract/refund/refund'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { Ago, When } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'
import { Sides } from './problemEvidence'
import { ProblemVerbs } from './problemVerbs'
import styles from './refund.module.css'

export type ProblemDetail = OutputOf<typeof getProblem>

/** What we, the machine and the channel say, side by side, and the three ways to settle it. */
export function ProblemDrawer({ id }: DrawerRow) {
  const t = useText('refund')
  const result = useEndpoint(getProblem, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ orderNo }) => orderNo}
      head={({ kind, state, outcome }) => (
        <div className="tags">
          <StateCell value={kind} field={problemFields.kind} t={t} />
          <StateCell value={state} field={problemFields.state} t={t} />
          {outcome && <StateCell value={outcome} field={problemFields.outcome} t={t} />}
        </div>
      )}
      actions={(problem) => <ProblemVerbs problem={problem} />}
    >
      {(problem) => (
        <>
          <p className={styles.why}>{t(`problem.${problem.kind}.help`)}</p>
          <ProblemFacts problem={problem} />
          <Section title={t('section.evidence')}>
            <Sides problem={problem} />
          </Section>
          <Section title={t('section.refunds')}>
            <Refunds problem={problem} />
          </Section>
        </>
      )}
    </RowDrawer>
  )
}

function ProblemFacts({ problem }: { problem: ProblemDetail }) {
  const t = useText('refund')
  const { askedAt, closedAt, dueBackFen, leftFen } = problem
  return (
    <Facts
      facts={[
        { label: t('field.paidFen'), value: <Money fen={problem.paidFen} /> },
        { label: t('field.dueBackFen'), value: dueBackFen > 0 ? <Money fen={dueBackFen} /> : null },
        { label: t('field.heldFen'), value: problem.heldFen > 0 ? <Money fen={problem.heldFen} /> : null },
        { label: t('field.refundedFen'), value: problem.refundedFen > 0 ? <Money fen={problem.refundedFen} /> : null },
        { label: t('field.leftFen'), value: leftFen > 0 ? <Money fen={leftFen} /> : null },
        { label: t('field.method'), value: t(`method.${problem.method}`) },
        {
          label: t('field.orderNo'),
          value: (
            <ScreenLink screen="jygl/ddgl" search={{ orderNo: problem.orderNo, open: String(problem.orderId) }}>
              {problem.orderNo}
            </ScreenLink>
          ),
        },
        { label: t('field.merchantName'), value: problem.merchantName },
        { label: t('field.openedAt'), value: <When at={problem.openedAt} /> },
        { label: t('field.askedBy'), value: problem.askedBy },
        { label: t('field.requestedAt'), value: askedAt && <When at={askedAt} /> },
        { label: t('field.closedBy'), value: problem.closedBy ?? (closedAt ? t('event.rule') : null) },
        { label: t('field.closedAt'), value: closedAt && <When at={closedAt} /> },
        { label: t('field.reason'), value: problem.reason },
      ]}
    />
  )
}

function Refunds({ problem: { refunds } }: { problem: ProblemDetail }) {
  const t = useText('refund')
  if (refunds.length === 0) return <p className="quiet">{t('section.refunds.empty')}</p>
  return (
    <ul className={styles.problemLines}>
      {refunds.map(({ id, refundNo, amountFen, state, requestedAt }) => (
        <li key={id}>
          <ScreenLink screen="jygl/tkgl" search={{ no: refundNo, open: String(id) }}>
            {refundNo}
          </ScreenLink>
          <Money fen={amountFen} />
          <StateCell value={state} field={refundFields.state} t={t} />
          <Ago at={requestedAt} />
        </li>
      ))}
    </ul>
  )
}
