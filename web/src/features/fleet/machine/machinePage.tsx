import { getMachine, listSlots } from '@aisle/contract/fleet/machine'
import { screenOf } from '@aisle/contract/screens'
import { Link, useNavigate, useRouterState } from '@tanstack/react-router'
import { Failure } from '../../../admin/failure'
import { useLive } from '../../../admin/useList'
import { useUnderstood } from '../../../ui/feedback/asked'
import { useEndpoint } from '../../../live/query'
import { Hints } from '../../../ui/feedback/hint'
import { useText } from '../../../ui/text'
import { MachineStates, MachineTabs } from './machineDrawer'
import { MachineVerbs } from './machineVerbs'
import styles from './machinePage.module.css'
import { classes } from '../../../ui/classes'

const { path } = screenOf('shj/wdshj')
const live = { topic: 'machines', also: [] } as const

/** The machine that the address names with `?id=`; null for the list. */
export function useMachineId(): number | null {
  const text = useRouterState({ select: ({ location }) => new URLSearchParams(location.searchStr).get('id') })
  return text !== null && /^[1-9]\d{0,15}$/.test(text) ? Number(text) : null
}

/** The drawer's whole content with room for it: for who works on one machine, and for a link to it. */
export function MachinePage({ id }: { id: number }) {
  const title = useText('screens').any('shj/wdshj')
  const t = useText('fleet')
  const navigate = useNavigate()
  const tab = useRouterState({ select: ({ location }) => new URLSearchParams(location.searchStr).get('tab') })
  const { data, error, refetch } = useEndpoint(getMachine, { id }, { errors: 'throw' })
  useUnderstood(['id'])
  useLive(live, [getMachine, listSlots])
  const pickTab = (next: string) => void navigate({ href: `${path}?id=${id}&tab=${next}`, replace: true })
  return (
    <div className={styles.page}>
      <header className="list-head">
        <h1>{title}</h1>
        <Link to={path} className="btn-plain">
          {t('page.back')}
        </Link>
      </header>
      {!data && (error ? <Failure failure={error} retry={() => void refetch()} /> : <div className="bone" />)}
      {data && (
        <section className={classes('list-card', styles.whole)} aria-label={`${data.code} ${data.name}`}>
          <div className={styles.wholeHead}>
            <h2>{`${data.code} ${data.name}`}</h2>
            <MachineStates machine={data} />
            <div className="list-actions">
              <MachineVerbs machine={data} />
            </div>
          </div>
          <MachineTabs machine={data} tab={tab} pickTab={pickTab} />
        </section>
      )}
      <Hints />
    </div>
  )
}
