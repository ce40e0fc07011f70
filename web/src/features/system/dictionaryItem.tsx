import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { languageNames, languages } from '@aisle/contract/kernel/text'
import { listMerchants } from '@aisle/contract/merchant/merchant'
import {
  createDictionaryItem,
  deleteDictionaryItem,
  dictionaryFields,
  editDictionaryItem,
  getDictionaryItem,
  listDictionaryItems,
  listDictionaryTypes,
  listMerchantItems,
  switchDictionaryItem,
} from '@aisle/contract/system/dictionary'
import { CommandButton } from '../../admin/commandButton'
import { RemoveButton } from '../../admin/removeButton'
import { When } from '../../admin/fields/time'
import { controlProps, type InputProps } from '../../admin/form/input'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import type { ListAddress } from '../../admin/useAddress'
import { useEndpoint } from '../../live/query'
import { useSession } from '../../live/session'
import { Facts } from '../../ui/facts'
import { Tag } from '../../ui/tag'
import { useText } from '../../ui/text'
import { useWordOf } from './dictionaryTypes'
import styles from './settings.module.css'

type Item = OutputOf<typeof getDictionaryItem>

const lists = [listDictionaryItems, listMerchantItems, listDictionaryTypes]
const changes = [...lists, getDictionaryItem]
const names = ['type', 'code', 'zh', 'en', 'fr', 'ko', 'sort'] as const

/** For everybody: the platform's alone. */
export function AddPlatformItem({ address }: { address: ListAddress }) {
  const t = useText('system')
  const isPlatform = useSession()?.info?.kind === 'platform_admin'
  if (!isPlatform) return null
  return (
    <CommandButton
      endpoint={createDictionaryItem}
      verb="createDictionaryItem"
      tone="main"
      t={t}
      fields={dictionaryFields}
      names={names}
      inputs={{ type: AnyTypeInput }}
      target={{ merchantId: null }}
      initial={{ type: address.query.type ?? '', sort: 0 }}
      changes={changes}
    />
  )
}

/** For a merchant and all below it. */
export function AddOwnItem({ address }: { address: ListAddress }) {
  const t = useText('system')
  const own = useSession()?.info?.merchant.id
  return (
    <CommandButton
      endpoint={createDictionaryItem}
      verb="createDictionaryItem"
      tone="main"
      t={t}
      fields={dictionaryFields}
      names={['merchantId', ...names]}
      inputs={{ type: OwnTypeInput, merchantId: MerchantInput }}
      initial={{ type: address.query.type ?? '', merchantId: Number(address.query.merchantId ?? own), sort: 0 }}
      changes={changes}
    />
  )
}

const AnyTypeInput = (props: InputProps) => <TypeInput {...props} isOwn={false} />
const OwnTypeInput = (props: InputProps) => <TypeInput {...props} isOwn />

function TypeInput({ isOwn, ...props }: InputProps & { isOwn: boolean }) {
  const kit = useText('admin')
  const wordOf = useWordOf()
  const types = useEndpoint(listDictionaryTypes, isOwn ? { forMerchants: 'true' } : {}).data?.items ?? []
  return (
    <select
      {...controlProps(props)}
      value={String(props.value ?? '')}
      onChange={({ target }) => props.onChange(target.value)}
    >
      <option value="">{kit('form.choose')}</option>
      {types.map((type) => (
        <option key={type.id} value={type.code}>
          {wordOf(type)}
        </option>
      ))}
    </select>
  )
}

function MerchantInput(props: InputProps) {
  const merchants = useEndpoint(listMerchants, {}).data?.items ?? []
  return (
    <select
      {...controlProps(props)}
      value={String(props.value ?? '')}
      onChange={({ target }) => props.onChange(Number(target.value))}
    >
      {merchants.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  )
}

/** One item: its words, who it is for, what uses it, and what may be done. */
export function ItemDrawer({ id }: DrawerRow) {
  const t = useText('system')
  const wordOf = useWordOf()
  const result = useEndpoint(getDictionaryItem, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={(item) => `${item.code} ${wordOf(item)}`}
      head={({ isOn }) => <Tag tone={isOn ? 'good' : 'idle'} word={t(`isOn.${isOn}`)} hint={t(`isOn.${isOn}.help`)} />}
      actions={(item) => <Verbs item={item} />}
    >
      {(item) => (
        <Facts
          facts={[
            { label: t('field.type'), value: item.typeName },
            { label: t('field.merchantName'), value: item.merchantName ?? t('dictionary.forAll') },
            ...languages.map((language) => ({ label: languageNames[language], value: item[language] })),
            { label: t('field.sort'), value: String(item.sort) },
            { label: t('dictionary.uses'), value: item.uses.join(' · ') || t('dictionary.noUses') },
            { label: t('field.changedAt'), value: item.changedAt && <When at={item.changedAt} /> },
            { label: t('field.changedBy'), value: item.changedBy },
          ]}
        />
      )}
    </RowDrawer>
  )
}

function Verbs({ item }: { item: Item }) {
  const t = useText('system')
  const wordOf = useWordOf()
  const { id, version, isOn, mayWrite, uses, code, zh, en, fr, ko, sort } = item
  const vars = { name: wordOf(item) }
  if (!mayWrite) return <p className={styles.settingSource}>{t('dictionary.readOnly')}</p>
  const shared = { t, vars, changes }
  return (
    <>
      <CommandButton
        {...shared}
        endpoint={editDictionaryItem}
        verb="editDictionaryItem"
        tone="main"
        target={{ id, version }}
        fields={dictionaryFields}
        initial={{ code, zh, en, fr, ko, sort }}
        locked={{ code: uses.length > 0 ? t('dictionary.codeLocked') : undefined }}
      />
      <CommandButton
        {...shared}
        endpoint={switchDictionaryItem}
        verb={isOn ? 'switchOff' : 'switchOn'}
        target={{ id, isOn: !isOn }}
      />
      <RemoveButton
        {...shared}
        endpoint={deleteDictionaryItem}
        verb="deleteDictionaryItem"
        target={{ id }}
        isEnabled={uses.length === 0}
        changes={lists}
      />
    </>
  )
}
