import { getTest, listTests } from '@aisle/contract/device/machineTest'
import { getMachine, listSlots } from '@aisle/contract/fleet/machine'
import { getRepairOrder } from '@aisle/contract/maintenance/repairOrder'
import { MachineChooser } from '../../shelf/machineChooser'
import { ScreenLink } from '../../admin/fields/ref'
import { Ago } from '../../admin/fields/time'
import { useLive } from '../../admin/useList'
import { useEndpoint } from '../../live/query'
import { Hints } from '../../ui/feedback/hint'
import { useText } from '../../ui/text'
import { RecentTests } from './recentTests'
import { StartTest } from './startTest'
import { TestRun } from './testRun'
import { useTestAddress } from './testAddress'
import styles from './test.module.css'
import { classes } from '../../ui/classes'

/**
 * For a technician beside the machine, after each repair: which motor turns and lets something fall. The machine first,
 * then what to turn, then one result after the other as they come.
 */
export default function MachineTestPage() {
  const title = useText('screens').any('shj/jqcs')
  const t = useText('device')
  const { machineId, testId, orderId, slot, choose } = useTestAddress()
  // Whoever goes back to the order finds what its test came to.
  useLive({ topic: 'commands', also: [] }, [getTest, listTests, getRepairOrder])
  useLive({ topic: 'machines', also: [] }, [getMachine, listSlots])
  return (
    <div className={styles.page}>
      <header className="list-head">
        <h1>{title}</h1>
        {orderId !== null && (
          <ScreenLink screen="shj/bywx" search={{ open: String(orderId) }}>
            {t('test.backToOrder', { order: orderId })}
          </ScreenLink>
        )}
      </header>
      <MachineChoice machineId={machineId} onChoose={(id) => choose({ machine: id, test: null })} />
      <div className={styles.columns}>
        <div className={styles.main}>
          {testId !== null && <TestRun id={testId} onNew={() => choose({ test: null })} />}
          {testId === null && machineId !== null && (
            <StartTest key={machineId} machineId={machineId} slot={slot} onStarted={(id) => choose({ test: id })} />
          )}
          {testId === null && machineId === null && <Nothing />}
        </div>
        <RecentTests
          machineId={machineId}
          current={testId}
          onOpen={({ id, machineId: of }) => choose({ machine: of, test: id })}
        />
      </div>
      <Hints />
    </div>
  )
}

function Nothing() {
  const t = useText('device')
  return (
    <section className={styles.card}>
      <p className="quiet">{t('test.chooseFirst')}</p>
    </section>
  )
}

function MachineChoice({ machineId, onChoose }: { machineId: number | null; onChoose: (id: number) => void }) {
  const t = useText('device')
  const machine = useEndpoint(
    getMachine,
    { id: machineId ?? 0 },
    { errors: 'silent', enabled: machineId !== null },
  ).data
  return (
    <section className={classes(styles.card, styles.machine)}>
      <MachineChooser
        label={t('test.machine')}
        word={machine ? `${machine.code} ${machine.name}` : ''}
        choose={onChoose}
      />
      {machine && (
        <p className="quiet">
          {machine.pointName} · {t(`connection.${machine.connection}`)} · <Ago at={machine.lastSeenAt} />
        </p>
      )}
    </section>
  )
}
