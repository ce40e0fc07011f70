import { listPrescriptionSales, type PrescriptionSale, type SalesBy } from '@aisle/contract/pharmacy/sales'
import { screenOf } from '@aisle/contract/screens'
import { countText } from '../../admin/fields/number'
import { ScreenLink } from '../../admin/fields/ref'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useAddress } from '../../admin/useAddress'
import { useEndpoint } from '../../live/query'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'
import styles from './pharmacy.module.css'

const { path } = screenOf('jygl/cfxstj')
const ids = { doctor: 'doctorId', hospital: 'hospitalId', medicine: 'productId', day: null } as const
const MOST = 20

/** What a figure is made of: the other side of it, and the prescriptions behind it. */
export function SaleDrawer({ id }: DrawerRow) {
  const t = useText('pharmacy')
  const { query } = useAddress(path, listPrescriptionSales.input.shape)
  const by: SalesBy = query.by === 'hospital' || query.by === 'medicine' || query.by === 'day' ? query.by : 'doctor'
  const span = { ...(query.from ? { from: query.from } : {}), ...(query.to ? { to: query.to } : {}) }
  const field = ids[by]
  const day = dayOf(id)
  const own = useEndpoint(
    listPrescriptionSales,
    { ...(by === 'day' ? { from: day, to: day } : span), by, pageSize: 1, ...(field && id > 0 ? { [field]: id } : {}) },
    { errors: 'throw' },
  )
  return (
    <RowDrawer result={own} title={({ items }) => items[0]?.name ?? '–'}>
      {({ items: [sale] }) =>
        sale && (
          <>
            <Facts
              facts={[
                { label: t('field.note'), value: sale.note },
                { label: t('field.orders'), value: sale.orders === null ? null : countText(sale.orders) },
                { label: t('field.packs'), value: countText(sale.packs) },
                { label: t('field.soldFen'), value: <Money fen={sale.soldFen} /> },
              ]}
            />
            <Behind sale={sale} span={span} />
            <OtherSide sale={sale} span={span} />
          </>
        )
      }
    </RowDrawer>
  )
}

/** A day goes by its number from the first of 2000. */
const dayOf = (id: number): string => new Date(Date.UTC(2000, 0, 1 + id)).toISOString().slice(0, 10)

type Span = { from?: string; to?: string }

function Behind({ sale, span }: { sale: PrescriptionSale; span: Span }) {
  const t = useText('pharmacy')
  const { by, id, day } = sale
  const field = ids[by]
  const { from, to } = day ? { from: day, to: day } : span
  const search = {
    fill: 'some',
    ...(field && id > 0 ? { [field]: String(id) } : {}),
    ...(from ? { soldFrom: from } : {}),
    ...(to ? { soldTo: to } : {}),
  }
  return (
    <p>
      <ScreenLink screen="jygl/cfcx" search={search}>
        {t('sales.prescriptions')}
      </ScreenLink>
    </p>
  )
}

/** Of a doctor, hospital or day the medicines; of a medicine the doctors. */
function OtherSide({ sale, span }: { sale: PrescriptionSale; span: Span }) {
  const t = useText('pharmacy')
  const { by, id, day } = sale
  const field = ids[by]
  const other: SalesBy = by === 'medicine' ? 'doctor' : 'medicine'
  const { data } = useEndpoint(
    listPrescriptionSales,
    {
      by: other,
      pageSize: MOST,
      ...(day ? { from: day, to: day } : span),
      ...(field && id > 0 ? { [field]: id } : {}),
    },
    { errors: 'silent' },
  )
  return (
    <Section title={t(`by.${other}`)}>
      <ul className={styles.fills}>
        {(data?.items ?? []).map((each) => (
          <li key={each.id} className={styles.item}>
            <span>{each.name}</span>
            <span>× {countText(each.packs)}</span>
            <Money fen={each.soldFen} />
          </li>
        ))}
      </ul>
    </Section>
  )
}
