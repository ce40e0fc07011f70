import {
  getTest,
  listTests,
  noteTest,
  stopTest,
  testFields,
  testSlotTones,
  testState,
  testSlotState,
} from '@aisle/contract/device/machineTest'
import { listSlots } from '@aisle/contract/fleet/machine'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { CommandButton } from '../../admin/commandButton'
import { Failure } from '../../admin/failure'
import { StateCell } from '../../admin/fields/state'
import { Ago } from '../../admin/fields/time'
import { useEndpoint } from '../../live/query'
import { Facts } from '../../ui/facts'
import { Tag } from '../../ui/tag'
import { useText } from '../../ui/text'
import { codesText } from './codes'
import { detailText } from './commandDrawer'
import { Progress } from './progress'
import styles from './test.module.css'
import tableStyles from '../../ui/table.module.css'
import { classes } from '../../ui/classes'

type Test = OutputOf<typeof getTest>
const shown = [getTest, listTests, listSlots]

/** A test as it goes: each slot with what motor and sensor said, the verdict when it is over. */
export function TestRun({ id, onNew }: { id: number; onNew: () => void }) {
  const t = useText('device')
  const { data: test, error, refetch } = useEndpoint(getTest, { id }, { errors: 'throw' })
  if (!test) return error ? <Failure failure={error} retry={() => void refetch()} /> : <div className="bone" />
  const over = test.results.filter(({ state }) => !testSlotState.is(state, 'ahead')).length
  return (
    <section className={styles.card}>
      <div className={styles.head}>
        <h2>
          {test.machineCode} · {t(`testScope.${test.scope}`)}
        </h2>
        <StateCell value={test.state} field={testFields.state} t={t} />
      </div>
      <Progress label={t('test.progress', { over, count: test.slots })} total={test.slots} parts={partsOf(test)} />
      <p role="status">{t('test.counts', { over, count: test.slots, passed: test.passed, failed: test.failed })}</p>
      <ResultTable test={test} />
      <Facts
        facts={[
          { label: t('field.putsBack'), value: t(test.putsBack ? 'test.putsBack' : 'test.takesOut') },
          { label: t('field.reason'), value: test.reason },
          { label: t('field.createdBy'), value: test.startedBy },
          { label: t('field.createdAt'), value: <Ago at={test.startedAt} /> },
          { label: t('field.note'), value: test.note },
        ]}
      />
      <TestVerbs test={test} onNew={onNew} />
    </section>
  )
}

const partsOf = ({ results }: Test) =>
  (['passed', 'failed', 'skipped', 'running', 'waiting'] as const).map((state) => ({
    key: state,
    count: results.filter((result) => result.state === state).length,
    tone: testSlotTones[state],
  }))

function TestVerbs({ test: { id, state, machineCode, note }, onNew }: { test: Test; onNew: () => void }) {
  const t = useText('device')
  const common = { t, target: { id }, vars: { code: machineCode }, changes: shown }
  const isRunning = testState.can(state, 'stop')
  return (
    <div className="list-actions">
      {isRunning && <CommandButton {...common} endpoint={stopTest} verb="stopTest" tone="danger" />}
      <CommandButton {...common} endpoint={noteTest} verb="noteTest" initial={{ note }} />
      {!isRunning && (
        <button type="button" className="btn btn-main" onClick={onNew}>
          {t('test.again')}
        </button>
      )}
    </div>
  )
}

function ResultTable({ test: { results, machineCode } }: { test: Test }) {
  const t = useText('device')
  return (
    <div className={styles.results} tabIndex={0} role="region" aria-label={t('test.results', { code: machineCode })}>
      <table className={classes(tableStyles.table, tableStyles.compact)}>
        <thead>
          <tr>
            <th>{t('field.slot')}</th>
            <th>{t('field.productName')}</th>
            <th>{t('field.state')}</th>
            <th>{t('test.codes')}</th>
          </tr>
        </thead>
        <tbody>
          {results.map((result) => (
            <tr key={result.slot}>
              <td>{result.slot}</td>
              <td>{result.productName ?? '–'}</td>
              <td>
                <Tag
                  tone={testSlotTones[result.state]}
                  word={t(`testSlotState.${result.state}`)}
                  hint={t(`testSlotState.${result.state}.help`)}
                />
              </td>
              <td>
                {[codesText(result, t), result.detail && detailText(result.detail, t), secondsOf(result, t)]
                  .filter(Boolean)
                  .join(' · ')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const secondsOf = ({ durationMs }: Test['results'][number], t: ReturnType<typeof useText<'device'>>): string =>
  durationMs === null ? '' : t('test.seconds', { seconds: (durationMs / 1000).toFixed(1) })
