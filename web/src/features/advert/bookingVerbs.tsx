import {
  addBooking,
  type BookingDetail,
  bookingFields,
  bookingShown,
  endBooking,
  getBooking,
  listBookings,
  pauseBooking,
  previewBooking,
  resumeBooking,
  type Targets,
} from '@aisle/contract/advert/booking'
import { getCreative, listCreatives } from '@aisle/contract/advert/creative'
import { listProof } from '@aisle/contract/advert/proof'
import { listPoints } from '@aisle/contract/fleet/point'
import { listMerchants } from '@aisle/contract/merchant/merchant'
import { useDeferredValue } from 'react'
import { CommandButton } from '../../admin/commandButton'
import { indented } from '../../admin/fields/indented'
import { controlProps, type InputProps } from '../../admin/form/input'
import type { Values } from '../../admin/form/schema'
import { severalInput } from '../../admin/form/severalInput'
import { useEndpoint } from '../../live/query'
import { groupsInput, machinesInput } from '../../shelf/severalInputs'
import { useText } from '../../ui/text'
import styles from './advert.module.css'

const changes = [listBookings, getBooking, listProof, listCreatives, getCreative] as const
const text = { kind: 'text' } as const
const fields = {
  ...bookingFields,
  creativeIds: text,
  machineIds: text,
  groupIds: text,
  pointIds: text,
  merchantIds: text,
}
const groups = [
  { key: 'what', names: ['name', 'advertiser', 'contractNo', 'creativeIds'] },
  { key: 'where', names: ['machineIds', 'groupIds', 'pointIds', 'merchantIds'] },
  { key: 'when', names: ['startsOn', 'endsOn', 'fromHour', 'toHour', 'playsPerHour'] },
  { key: 'price', names: ['priceKind', 'priceFen', 'priority'] },
]
const inputs = {
  creativeIds: severalInput(listCreatives, ({ id, name, merchantName }) => ({
    value: id,
    word: name,
    note: merchantName,
  })),
  machineIds: machinesInput(),
  groupIds: groupsInput(),
  pointIds: severalInput(listPoints, ({ id, name, city }) => ({ value: id, word: name, note: city })),
  merchantIds: MerchantsInput,
}
/** Each stands for itself and all below it. */
function MerchantsInput(props: InputProps) {
  const { data } = useEndpoint(listMerchants, {}, { errors: 'silent', staleTime: 30_000 })
  const chosen = Array.isArray(props.value) ? props.value.map(String) : []
  return (
    <select
      {...controlProps(props)}
      required={false}
      multiple
      size={5}
      value={chosen}
      onChange={({ target }) => props.onChange([...target.selectedOptions].map(({ value }) => Number(value)))}
    >
      {indented(data?.items ?? []).map(({ id, name }) => (
        <option key={id} value={String(id)}>
          {name}
        </option>
      ))}
    </select>
  )
}

const initial = { fromHour: 8, toHour: 22, playsPerHour: 12, priority: 5, priceKind: 'play' }

export function AddBooking() {
  const t = useText('advert')
  return (
    <CommandButton
      endpoint={addBooking}
      verb="addBooking"
      tone="main"
      preview={BookingPreview}
      {...{ t, fields, groups, inputs, initial, changes }}
    />
  )
}

const names = ['machineIds', 'groupIds', 'pointIds', 'merchantIds', 'creativeIds'] as const
const idsIn = (value: unknown): number[] => (Array.isArray(value) ? value.map(Number) : [])

/** Where it would play and what the law keeps out of it, before it is booked. */
function BookingPreview({ values }: { values: Values }) {
  const t = useText('advert')
  const said = useDeferredValue(JSON.stringify(names.map((name) => [name, idsIn(values[name])])))
  const asked = Object.fromEntries(JSON.parse(said) as [string, number[]][]) as Targets & { creativeIds: number[] }
  const { data } = useEndpoint(previewBooking, asked, { errors: 'silent' })
  if (!data) return null
  const { machines, atSchools, schools, namedSchools, unreviewed } = data
  const list = (of: readonly string[]) => of.join(', ')
  return (
    <ul className={styles.says} role="status">
      <li>{machines > 0 ? t('preview.machines', { count: machines }) : t('preview.nowhere')}</li>
      {atSchools > 0 && <li>{t('preview.schools', { count: atSchools, names: list(schools) })}</li>}
      {namedSchools.length > 0 && <li className="fault">{t('preview.named', { names: list(namedSchools) })}</li>}
      {unreviewed.length > 0 && <li>{t('preview.unreviewed', { names: list(unreviewed) })}</li>}
    </ul>
  )
}

/** What the state does not allow is grey and says why. */
export function BookingVerbs({ booking: { id, name, state } }: { booking: BookingDetail }) {
  const t = useText('advert')
  const common = { t, target: { id }, vars: { name }, changes }
  const isEnded = bookingShown.is(state, 'ended')
  return (
    <>
      {bookingShown.is(state, 'paused') && (
        <CommandButton {...common} endpoint={resumeBooking} verb="resumeBooking" tone="main" />
      )}
      {bookingShown.is(state, 'open') && <CommandButton {...common} endpoint={pauseBooking} verb="pauseBooking" />}
      <CommandButton {...common} endpoint={endBooking} verb="endBooking" tone="danger" isEnabled={!isEnded} />
    </>
  )
}
