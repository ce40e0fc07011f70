import { listRunningOut, type RunningOut, SOON_HOURS } from '@aisle/contract/home/dashboard'
import { screenOf } from '@aisle/contract/screens'
import { countText } from '../../admin/fields/number'
import { useLive } from '../../admin/useList'
import { AppLink } from '../../admin/appLink'
import { useEndpoint } from '../../live/query'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'
import { Figure, PanelCard } from './panelCard'
import { REFRESH_MS } from './refresh'
import styles from './home.module.css'

const machines = screenOf('shj/wdshj').path
const short = `${machines}?gaps=yes`

/** What is empty and what will be, with what it costs: where the next round should go. */
export function StockPanel() {
  const t = useText('home')
  const found = useEndpoint(listRunningOut, {}, { errors: 'silent', refetchInterval: REFRESH_MS })
  useLive({ topic: 'machines', also: [] }, [listRunningOut])
  const { data } = found
  return (
    <PanelCard title={t('panel.runningOut')} more={{ path: short, word: t('out.open') }} found={found}>
      {data && (
        <>
          <div className={styles.figures}>
            <Figure word={t('out.machines')} path={short}>
              {countText(data.machines)}
            </Figure>
            <Figure
              word={t('out.slots')}
              path={short}
              of={countText(data.slots)}
              {...(data.emptySlots > 0 ? { tone: 'bad' } : {})}
            >
              {countText(data.emptySlots)}
            </Figure>
            <Figure word={t('out.low')} path={short} {...(data.lowSlots > 0 ? { tone: 'warn' } : {})}>
              {countText(data.lowSlots)}
            </Figure>
          </div>
          {data.items.length === 0 ? (
            <p className="quiet">{t('out.none')}</p>
          ) : (
            <ul className={styles.list}>
              {data.items.map((each) => (
                <Machine key={each.machineId} machine={each} />
              ))}
            </ul>
          )}
        </>
      )}
    </PanelCard>
  )
}

function Machine({ machine }: { machine: RunningOut }) {
  const t = useText('home')
  const { machineId, machineCode, machineName, pointName, emptySlots, lostFenHour, nextInHours, nextProduct } = machine
  const { comingPieces, isUnderWay } = machine
  return (
    <li>
      <AppLink path={`${machines}?id=${machineId}&tab=slots`}>
        <span>
          <b>{machineName}</b> <code>{machineCode}</code>
        </span>
        <small>{pointName}</small>
        <span className={styles.aside}>
          {emptySlots > 0 && <span className={styles.bad}>{t('out.empty', { count: emptySlots })}</span>}
          {comingPieces > 0 && (
            <small>{t(isUnderWay ? 'out.coming' : 'out.planned', { count: countText(comingPieces) })}</small>
          )}
          {lostFenHour > 0 && (
            <small>
              {t('out.lost')} <Money fen={lostFenHour} />
            </small>
          )}
          {nextInHours !== null && nextInHours < SOON_HOURS && (
            <small>
              {t('out.next', {
                product: nextProduct ?? '',
                hours: countText(nextInHours < 10 ? nextInHours : Math.round(nextInHours)),
              })}
            </small>
          )}
        </span>
      </AppLink>
    </li>
  )
}
