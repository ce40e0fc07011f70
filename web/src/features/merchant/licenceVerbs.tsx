import {
  addLicence,
  editLicence,
  getLicence,
  kindsOf,
  licence as declared,
  type LicenceHolder,
  licenceNames,
  listLicences,
  renewLicence,
  revokeLicence,
  summariseLicences,
} from '@aisle/contract/merchant/licence'
import { CommandButton } from '../../admin/commandButton'
import type { InputProps } from '../../admin/form/input'
import { MachineInput } from '../../shelf/machineInput'
import { MerchantInput } from '../../admin/form/refInput'
import { ScansInput } from '../../shelf/scansInput'
import type { Values } from '../../admin/form/schema'
import { useText } from '../../ui/text'
import type { LicenceDetail } from './licenceDrawer'

const shown = [listLicences, getLicence, summariseLicences] as const
const inputs = { merchantId: MerchantInput, kind: KindInput, machineCode: MachineInput, pictures: ScansInput }
const term = { key: 'term', names: ['number', 'issuedBy', 'validFrom', 'validTo', 'pictures'] }
const holder = ['holderKind', 'kind', 'holder', 'machineCode', 'account']

/** A machine is named for a site, an account for a doctor; for the others there is neither. */
const without = ({ holderKind }: Values): string[] => [
  ...(holderKind === 'site' ? [] : ['machineCode']),
  ...(holderKind === 'doctor' ? [] : ['account']),
]

export function AddLicence() {
  const t = useText('merchant')
  return (
    <CommandButton
      endpoint={addLicence}
      verb="addLicence"
      t={t}
      tone="main"
      fields={declared.fields}
      groups={[
        { key: 'holder', names: ['merchantId', ...holder] },
        { ...term, names: [...term.names, 'remark'] },
      ]}
      initial={{ holderKind: 'merchant' }}
      inputs={inputs}
      without={without}
      changes={shown}
    />
  )
}

export function LicenceVerbs({ licence }: { licence: LicenceDetail }) {
  const t = useText('merchant')
  const { id, version, number, holder: held } = licence
  const isEnabled = !licenceNames.is(licence.state, 'revoked')
  const common = { t, target: { id, version }, vars: { number, holder: held }, changes: shown, isEnabled }
  const form = { fields: declared.fields, inputs }
  return (
    <>
      <CommandButton
        {...common}
        {...form}
        endpoint={renewLicence}
        verb="renewLicence"
        tone={licenceNames.is(licence.state, 'valid') ? undefined : 'main'}
        names={term.names}
        initial={{ number, issuedBy: licence.issuedBy }}
      />
      <CommandButton
        {...common}
        {...form}
        endpoint={editLicence}
        verb="editLicence"
        groups={[
          { key: 'holder', names: holder },
          { ...term, names: [...term.names, 'remark'] },
        ]}
        initial={editedOf(licence)}
        without={without}
      />
      <CommandButton {...common} endpoint={revokeLicence} verb="revokeLicence" tone="danger" />
    </>
  )
}

const editedOf = (licence: LicenceDetail): Values =>
  Object.fromEntries([...holder, ...term.names, 'remark'].map((name) => [name, Reflect.get(licence, name)]))

/** Only what the holder can hold. */
function KindInput({ id, name, value, values, onChange, onBlur, isInvalid, describedBy, t }: InputProps) {
  const kit = useText('admin')
  const kinds = kindsOf[values.holderKind as LicenceHolder] ?? []
  const chosen = kinds.find((kind) => kind === value)
  return (
    <select
      id={id}
      name={name}
      value={chosen ?? ''}
      aria-invalid={isInvalid || undefined}
      aria-describedby={describedBy}
      onBlur={onBlur}
      onChange={(event) => onChange(event.target.value)}
    >
      <option value="">{kit('form.choose')}</option>
      {kinds.map((kind) => (
        <option key={kind} value={kind}>
          {t.any(`licenceKind.${kind}`)}
        </option>
      ))}
    </select>
  )
}
