import { cashCollectionFields, getCashCollection } from '@aisle/contract/field/cashCollection'
import { countText } from '../../admin/fields/number'
import { MachineLink, ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { When } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import lined from '../../shelf/lines.module.css'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'
import { type CashDetail, CashVerbs } from './cashVerbs'

/** What was counted, beside all else that measured the same money. */
export function CashDrawer({ id }: DrawerRow) {
  const t = useText('field')
  const result = useEndpoint(getCashCollection, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ boxNo, machineName }) => `${boxNo} · ${machineName}`}
      head={({ state }) => (
        <div className="tags">
          <StateCell value={state} field={cashCollectionFields.state} t={t} />
        </div>
      )}
      actions={(box) => <CashVerbs box={box} />}
    >
      {(box) => (
        <>
          <Measurements box={box} />
          <Section title={t('cash.facts')}>
            <Facts
              facts={[
                { label: t('field.machineName'), value: <MachineLink code={box.machineCode} /> },
                { label: t('field.takenAt'), value: <When at={box.takenAt} /> },
                { label: t('field.taker'), value: box.taker },
                { label: t('field.counter'), value: box.counter },
                { label: t('field.countedAt'), value: box.countedAt && <When at={box.countedAt} /> },
                { label: t('field.decider'), value: box.decider },
                { label: t('field.settledAt'), value: box.settledAt && <When at={box.settledAt} /> },
                { label: t('field.note'), value: box.note },
                { label: t('field.merchantName'), value: box.merchantName },
              ]}
            />
          </Section>
        </>
      )}
    </RowDrawer>
  )
}

/** Each less what the books expect; what nobody measured says so. */
function Measurements({ box }: { box: CashDetail }) {
  const t = useText('field')
  const { expectedFen, countedFen, machineFen, controllerFen, orders, ordersFen, previousAt, machineCode } = box
  const measured = [
    ['counted', countedFen],
    ['machine', machineFen],
    ['controller', controllerFen],
  ] as const
  return (
    <Section title={t('cash.measured')} note={previousAt ? <When at={previousAt} /> : t('cash.first')}>
      <ul className={lined.lines}>
        <li>
          <span className={lined.what}>
            {t('cash.expected')}
            <small className="quiet">
              <ScreenLink screen="jygl/ddgl" search={{ method: 'cash', machineCode }}>
                {t('cash.orders', { count: countText(orders) })}
              </ScreenLink>{' '}
              <Money fen={ordersFen} />
            </small>
          </span>
          <span className={lined.count}>
            <Money fen={expectedFen} />
          </span>
        </li>
        {measured.map(([by, fen]) => (
          <li key={by}>
            <span className={lined.what}>
              {t(`cash.by.${by}`)}
              {fen === null && <small className="quiet">{t(`cash.none.${by}`)}</small>}
            </span>
            {fen !== null && (
              <span className={lined.count}>
                <Money fen={fen} />
                {fen !== expectedFen && (
                  <>
                    {' ('}
                    <Money fen={fen - expectedFen} />)
                  </>
                )}
              </span>
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}
