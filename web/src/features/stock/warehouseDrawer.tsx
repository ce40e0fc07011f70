import * as contract from '@aisle/contract/stock/warehouse'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { CommandButton } from '../../admin/commandButton'
import { AppLink } from '../../admin/appLink'
import { When } from '../../admin/fields/time'
import type { DrawerRow } from '../../admin/rowDrawer'
import lined from '../../shelf/lines.module.css'
import { useNow } from '../../live/clock'
import { Section } from '../../ui/feedback/drawer'
import { Tag } from '../../ui/tag'
import { useText } from '../../ui/text'
import { screenOf } from '@aisle/contract/screens'
import { warehouses } from './warehouseRecord'

type Detail = OutputOf<typeof contract.getWarehouse>

/** What it is, what lies there, and how its climate was. */
export function WarehouseDrawer({ id }: DrawerRow) {
  const t = useText('stock')
  const { path } = screenOf('jxcgl/ccgl')
  return (
    <warehouses.Drawer id={id} tags={['state', 'storage']} verbs={(row) => <ReadingButton warehouse={row} />}>
      {(row) => (
        <>
          <p>
            <AppLink path={path} search={{ part: 'stock', warehouseId: String(id) }} className="screen-link">
              {t('warehouse.stock')}
            </AppLink>{' '}
            ·{' '}
            <AppLink path={path} search={{ part: 'moves', warehouseId: String(id) }} className="screen-link">
              {t('warehouse.moves')}
            </AppLink>
          </p>
          <warehouses.Known row={row} without={['name', 'state', 'storage', 'keeperId', 'lastC', 'isExcursion']} />
          <Section title={t('warehouse.readings')}>
            <Readings warehouse={row} />
          </Section>
        </>
      )}
    </warehouses.Drawer>
  )
}

function ReadingButton({ warehouse: { id, name, highestC, lowestC } }: { warehouse: Detail }) {
  const t = useText('stock')
  const readAt = new Date(Math.floor(useNow(60_000) / 60_000) * 60_000).toISOString()
  return (
    <CommandButton
      t={t}
      endpoint={contract.addReading}
      verb="addReading"
      target={{ id }}
      vars={{ name, lowestC, highestC }}
      fields={{ readAt: { kind: 'dateTime' } }}
      initial={{ readAt }}
      changes={warehouses.shown}
    />
  )
}

function Readings({ warehouse: { readings } }: { warehouse: Detail }) {
  const t = useText('stock')
  if (readings.length === 0) return <p className="quiet">{t('warehouse.readings.none')}</p>
  return (
    <ul className={lined.lines}>
      {readings.map(({ id, at, temperatureC, humidity, isExcursion, note, reader }) => (
        <li key={id}>
          <span className={lined.what}>
            <When at={at} />
            <small className="quiet">{[reader, note].filter(Boolean).join(' · ')}</small>
          </span>
          <span className={lined.count}>
            {temperatureC} °C{humidity !== null && ` · ${humidity} %`}
          </span>
          {isExcursion && <Tag tone="bad" word={t('warehouse.excursion')} />}
        </li>
      ))}
    </ul>
  )
}
