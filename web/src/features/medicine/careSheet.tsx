import { type CareTask, getCareSheet } from '@aisle/contract/medicine/care'
import { businessDay } from '../../ui/days'
import { countText } from '../../admin/fields/number'
import { Day } from '../../admin/fields/time'
import { absoluteTime } from '../../ui/timeText'
import type { ListAddress } from '../../admin/useAddress'
import { call } from '../../live/call'
import { useNow } from '../../live/clock'
import { Printed, usePaper } from '../../ui/printed'
import { currentLocale, useText } from '../../ui/text'
import { rangeText } from './careDrawer'

type Sheet = { month: string; merchantName: string; total: number; items: CareTask[] }

/** The month that the list is filtered by, else this one, as it is filed: with what was missed and is still open. */
export function CareSheetButton({ address }: { address: ListAddress }) {
  const t = useText('medicine')
  const nowMs = useNow(60_000)
  const month = address.query.month ?? businessDay(nowMs).slice(0, 7)
  const merchantId = address.query.merchantId
  const { paper, print } = usePaper(async () => ({
    month,
    ...(await call(getCareSheet, { month, ...(merchantId ? { merchantId } : {}) })),
  }))
  return (
    <>
      <button type="button" className="btn" onClick={print}>
        {t('care.print', { month })}
      </button>
      {paper && <Paper sheet={paper} />}
    </>
  )
}

function Paper({ sheet: { month, merchantName, total, items } }: { sheet: Sheet }) {
  const t = useText('medicine')
  const heads = ['productName', 'batch', 'expiresOn', 'placeName', 'quantity', 'kind', 'dueOn'] as const
  return (
    <Printed part="care-sheet" isWide>
      <header>
        <h1>{merchantName}</h1>
        <h2>{t('care.print.title', { month })}</h2>
      </header>
      <table>
        <thead>
          <tr>
            {heads.map((name) => (
              <th key={name}>{t(`field.${name}`)}</th>
            ))}
            <th>{t('care.temperature')}</th>
            <th>{t('care.humidity')}</th>
            <th>{t('field.result')}</th>
            <th>{t('field.measures')}</th>
            <th>{t('field.signedBy')}</th>
          </tr>
        </thead>
        <tbody>
          {items.map((each) => (
            <Line key={each.id} task={each} />
          ))}
        </tbody>
      </table>
      <footer>
        {t('care.print.count', { count: items.length })}
        {total > items.length && ` ${t('care.print.left', { total })}`}
      </footer>
    </Printed>
  )
}

function Line({ task }: { task: CareTask }) {
  const t = useText('medicine')
  const { result, state, signedAt } = task
  return (
    <tr>
      <td>
        {task.productName} {task.specification}
      </td>
      <td>{task.batch}</td>
      <td>
        <Day on={task.expiresOn} />
      </td>
      <td>
        {task.placeName} {task.machineCode}
      </td>
      <td>{countText(task.quantity)}</td>
      <td>{t(`careKind.${task.kind}`)}</td>
      <td>
        <Day on={task.dueOn} />
      </td>
      <td>{rangeText(task.lowestC, task.highestC, '°C') ?? '–'}</td>
      <td>{rangeText(task.lowestHumidity, task.highestHumidity, '%') ?? '–'}</td>
      <td>{result ? t(`careResult.${result}`) : t(`careState.${state}`)}</td>
      <td>{task.measures}</td>
      <td>
        {task.signedBy} {signedAt && absoluteTime(signedAt, currentLocale())}
      </td>
    </tr>
  )
}
