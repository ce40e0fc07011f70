import { countText } from '../../admin/fields/number'
import { absoluteTime } from '../../ui/timeText'
import { PrintButton } from '../../ui/printed'
import { currentLocale, useText } from '../../ui/text'
import type { CountDetail } from './countDrawer'

const shown = (pieces: number | null) => (pieces === null ? '' : countText(pieces))

/** To be filled in by hand while it is counted, to be signed and filed afterwards. */
export function CountPaper({ count }: { count: CountDetail }) {
  const t = useText('counting')
  return (
    <PrintButton word={t('paper.print')} part="count-paper">
      <Paper count={count} />
    </PrintButton>
  )
}

function Paper({ count }: { count: CountDetail }) {
  const t = useText('counting')
  const { no, machineCode, machineName, pointName, merchantName, items, isBlind, openedAt } = count
  return (
    <>
      <h1>{merchantName}</h1>
      <h2>
        {t('paper.title')} {no}
      </h2>
      <p>
        {machineCode} {machineName} · {pointName} · {absoluteTime(openedAt, currentLocale())}
      </p>
      <table>
        <thead>
          <tr>
            <th>{t('field.slotCode')}</th>
            <th>{t('field.productName')}</th>
            <th>{t('field.batch')}</th>
            <th>{t('count.first')}</th>
            <th>{t('count.second')}</th>
            {!isBlind && <th>{t('count.book')}</th>}
            {!isBlind && <th>{t('count.difference')}</th>}
            <th>{t('field.reason')}</th>
          </tr>
        </thead>
        <tbody>
          {items.map((line) => (
            <tr key={line.id}>
              <td>{line.slotCode}</td>
              <td>{line.productName}</td>
              <td>{line.batch}</td>
              <td>{shown(line.counted)}</td>
              <td>{shown(line.second)}</td>
              {!isBlind && <td>{shown(line.book)}</td>}
              {!isBlind && <td>{shown(line.difference)}</td>}
              <td>{line.reason && t(`differenceReason.${line.reason}`)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>{t('paper.sign')}</p>
    </>
  )
}
