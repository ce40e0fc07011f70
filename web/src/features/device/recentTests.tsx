import { listTests, type MachineTest, testFields } from '@aisle/contract/device/machineTest'
import { StateCell } from '../../admin/fields/state'
import { Ago } from '../../admin/fields/time'
import { useEndpoint } from '../../live/query'
import { useText } from '../../ui/text'
import styles from './test.module.css'
import { classes } from '../../ui/classes'

const SHOWN = 12

/** What was tested before: of the machine that is chosen, else of all. */
export function RecentTests(props: {
  machineId: number | null
  current: number | null
  onOpen: (test: MachineTest) => void
}) {
  const { machineId, current, onOpen } = props
  const t = useText('device')
  const { data } = useEndpoint(
    listTests,
    { pageSize: SHOWN, ...(machineId ? { machineId } : {}) },
    { errors: 'silent' },
  )
  const items = data?.items ?? []
  return (
    <section className={classes(styles.card, styles.recent)} aria-label={t('test.recent')}>
      <h2>{t('test.recent')}</h2>
      {data && items.length === 0 && <p className="quiet">{t('test.none')}</p>}
      <ul>
        {items.map((test) => (
          <li key={test.id}>
            <button
              type="button"
              className="btn-plain"
              aria-current={test.id === current ? 'true' : undefined}
              onClick={() => onOpen(test)}
            >
              {test.machineCode} · {t(`testScope.${test.scope}`)}
            </button>
            <StateCell value={test.state} field={testFields.state} t={t} />
            <small className="quiet">
              {t('test.of', { passed: test.passed, count: test.slots })} · <Ago at={test.startedAt} />
            </small>
          </li>
        ))}
      </ul>
    </section>
  )
}
