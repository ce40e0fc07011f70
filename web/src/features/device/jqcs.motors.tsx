import { getTest, listTests } from '@aisle/contract/device/machineTest'
import { getMachine, listSlots } from '@aisle/contract/fleet/machine'
import { MachineChooser } from '../../admin/MachineChooser'
import { Ago } from '../../admin/fields/time'
import { useLive } from '../../admin/useList'
import { useEndpoint } from '../../live/query'
import { Hints } from '../../ui/hint'
import { useText } from '../../ui/text'
import { RecentTests } from './recent-tests'
import { StartTest } from './start-test'
import { TestRun } from './test-run'
import { useTestAddress } from './test-address'
import '../../admin/list.css'
import './test.css'

/**
 * For a technician beside the machine, after each repair: which motor turns and lets something fall. The machine first,
 * then what to turn, then one result after the other as they come.
 */
export default function MachineTestPage() {
  const title = useText('screens').any('shj/jqcs')
  const { machineId, testId, choose } = useTestAddress()
  useLive({ topic: 'commands', also: [] }, [getTest, listTests])
  useLive({ topic: 'machines', also: [] }, [getMachine, listSlots])
  return (
    <div className="test-page">
      <header className="list-head">
        <h1>{title}</h1>
      </header>
      <MachineChoice machineId={machineId} onChoose={(id) => choose({ machine: id, test: null })} />
      <div className="test-columns">
        <div className="test-main">
          {testId !== null && <TestRun id={testId} onNew={() => choose({ test: null })} />}
          {testId === null && machineId !== null && (
            <StartTest machineId={machineId} onStarted={(id) => choose({ test: id })} />
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
    <section className="test-card">
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
    <section className="test-card test-machine">
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
