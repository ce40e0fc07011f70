import * as contract from '@aisle/contract/support/solution'
import { CommandButton } from '../admin/commandButton'
import { ScreenLink } from '../admin/fields/ref'
import { useEndpoint } from '../live/query'
import { can } from '../live/session'
import { Section } from '../ui/feedback/drawer'
import { useText } from '../ui/text'
import styles from './caseSolutions.module.css'

const calls = {
  alarm: [contract.listAlarmSolutions, contract.judgeAlarmSolution],
  repairOrder: [contract.listRepairOrderSolutions, contract.judgeRepairOrderSolution],
  feedback: [contract.listFeedbackSolutions, contract.judgeFeedbackSolution],
} as const

/** What is known for the fault of a case, in its drawer; whoever has tried one says whether it helped. */
export function CaseSolutions(props: { of: contract.CaseKind; id: number; hasFault?: boolean }) {
  const { of, id, hasFault = true } = props
  if (!hasFault || !can(calls[of][0].access)) return null
  return <Known of={of} id={id} />
}

function Known({ of, id }: { of: contract.CaseKind; id: number }) {
  const t = useText('support')
  const [list, judge] = calls[of]
  const { data } = useEndpoint(list, { id }, { errors: 'silent' })
  if (!data) return null
  return (
    <Section title={t('section.solutions')}>
      {data.items.length === 0 && (
        <p className="quiet">
          {t('solutions.none')}{' '}
          <ScreenLink screen="shkf/jjfa" search={{}}>
            {t('solutions.all')}
          </ScreenLink>
        </p>
      )}
      {data.items.map((known) => (
        <Solution key={known.id} {...{ known, list, judge, id }} />
      ))}
    </Section>
  )
}

type Calls = (typeof calls)[contract.CaseKind]

function Solution(props: { known: contract.CaseSolution; list: Calls[0]; judge: Calls[1]; id: number }) {
  const { known, list, judge, id } = props
  const t = useText('support')
  const { helped, notHelped, said, name, symptom, steps } = known
  const common = { t, endpoint: judge, changes: [list, contract.listSolutions, contract.getSolution] }
  return (
    <details className={styles.solution}>
      <summary>
        <b>{name}</b>
        <small className="quiet">
          {helped + notHelped === 0 ? t('helped.untold') : t('helped.of', { helped, all: helped + notHelped })}
        </small>
      </summary>
      {symptom && <p className="quiet">{symptom}</p>}
      <p className={styles.steps}>{steps}</p>
      {said === null ? (
        <span className="tags">
          <CommandButton {...common} verb="judge.helped" target={{ id, solutionId: known.id, helped: true }} />
          <CommandButton {...common} verb="judge.not" target={{ id, solutionId: known.id, helped: false }} />
        </span>
      ) : (
        <small className="quiet">{t(said ? 'helped.youDid' : 'helped.youDidNot')}</small>
      )}
    </details>
  )
}
