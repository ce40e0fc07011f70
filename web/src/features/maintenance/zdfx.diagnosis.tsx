import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { getDiagnosis } from '@aisle/contract/maintenance/diagnosis'
import { addRepairOrder, repairOrderFields } from '@aisle/contract/maintenance/repairOrder'
import { screenOf } from '@aisle/contract/screens'
import { z } from 'zod'
import { MachineChooser } from '../../shelf/machineChooser'
import { CommandButton } from '../../admin/commandButton'
import { Failure } from '../../admin/failure'
import { ScreenLink } from '../../admin/fields/ref'
import { ScansInput } from '../../shelf/scansInput'
import { useAddress } from '../../admin/useAddress'
import { useLive } from '../../admin/useList'
import { useEndpoint } from '../../live/query'
import { Empty } from '../../ui/feedback/empty'
import { Hints } from '../../ui/feedback/hint'
import { useText } from '../../ui/text'
import { AssigneeInput } from './assigneeInput'
import { DiagnosisFacts } from './diagnosisFacts'
import styles from './maintenance.module.css'
import { classes } from '../../ui/classes'

export type Diagnosis = OutputOf<typeof getDiagnosis>

const screen = screenOf('shj/zdfx')
const shape = { id: z.coerce.number().int().positive().optional() }

/** For a fitter before each drive: what fails on this machine, why probably, and what to take along. */
export default function DiagnosisPage() {
  const title = useText('screens')('shj/zdfx')
  const address = useAddress(screen.path, shape)
  const id = Number(address.query.id ?? 0)
  const choose = (next: number) => address.show({ id: String(next) })
  return (
    <div className={classes('list-main', styles.diagnosis)}>
      <header className="list-head">
        <h1>{title}</h1>
      </header>
      {id > 0 ? <OfMachine key={id} id={id} choose={choose} /> : <Nobody choose={choose} />}
      <Hints />
    </div>
  )
}

function Nobody({ choose }: { choose: (id: number) => void }) {
  const t = useText('maintenance')
  return (
    <>
      <MachineChooser label={t('field.machineName')} word="" choose={choose} />
      <section className={styles.diagnosisCard}>
        <Empty icon="machine" title={t('diagnosis.nobody')} text={t('diagnosis.nobody.hint')} />
      </section>
    </>
  )
}

function OfMachine({ id, choose }: { id: number; choose: (id: number) => void }) {
  const t = useText('maintenance')
  const { data, error, refetch } = useEndpoint(getDiagnosis, { id }, { errors: 'throw' })
  useLive({ kinds: ['alarm', 'repairOrder'], also: [] }, [getDiagnosis])
  return (
    <>
      <MachineChooser label={t('field.machineName')} word={data ? `${data.code} ${data.name}` : ''} choose={choose} />
      {data && <Advice diagnosis={data} />}
      {data && <DiagnosisFacts diagnosis={data} />}
      {!data && (error ? <Failure failure={error} retry={() => void refetch()} /> : <div className="bone" />)}
    </>
  )
}

const inputs = { assigneeId: AssigneeInput, pictures: ScansInput }

/** What to do first, and why: the figures that say so stand in the sentence. */
function Advice({ diagnosis }: { diagnosis: Diagnosis }) {
  const t = useText('maintenance')
  const { advice, code, openOrders, days, vends, failed } = diagnosis
  return (
    <section className={styles.diagnosisCard} aria-label={t('diagnosis.advice')}>
      <h2>{t('diagnosis.advice')}</h2>
      {advice.length === 0 && <p className="quiet">{t('diagnosis.nothing', { days, vends, failed })}</p>}
      <ul className={styles.diagnosisAdvice}>
        {advice.map(({ finding, slot, facts }) => {
          const vars = { ...facts, slot: slot ?? '', days }
          return (
            <li key={`${finding}/${slot}`}>
              <strong>{t(`finding.${finding}`, vars)}</strong>
              <span>{t(`finding.${finding}.do`, vars)}</span>
              <small>{t(`finding.${finding}.why`, vars)}</small>
              <span>
                <CommandButton
                  endpoint={addRepairOrder}
                  verb="addRepairOrder"
                  t={t}
                  fields={repairOrderFields}
                  inputs={inputs}
                  target={{ machineCode: code, kind: 'repair', alarmId: null }}
                  names={['problem', 'slots', 'assigneeId', 'dueOn', 'pictures']}
                  initial={{ problem: t(`finding.${finding}`, vars), slots: slot ?? '' }}
                  changes={[getDiagnosis]}
                />
              </span>
            </li>
          )
        })}
      </ul>
      {openOrders.length > 0 && (
        <p>
          {t('diagnosis.openOrders')}{' '}
          {openOrders.map(({ id, problem }) => (
            <ScreenLink key={id} screen="shj/bywx" search={{ open: String(id) }}>{`#${id} ${problem} `}</ScreenLink>
          ))}
        </p>
      )}
    </section>
  )
}
