import {
  createMerchant,
  deleteMerchant,
  editMerchant,
  getMerchant,
  limits,
  listMerchants,
  listMerchantTree,
  listServicePhones,
  type MerchantDetail,
  merchantFields,
  moveMerchant,
  resumeMerchant,
  stopMerchant,
} from '@aisle/contract/merchant/merchant'
import { merchantState } from '@aisle/contract/merchant/states'
import { CommandButton } from '../../admin/commandButton'
import { RemoveButton } from '../../admin/removeButton'
import type { InputProps } from '../../admin/form/input'
import { inputFor } from '../../admin/form/inputs'
import { MerchantInput } from '../../admin/form/refInput'
import { useSession } from '../../live/session'
import { useFirstPassword } from '../../ui/feedback/firstPassword'
import { useText } from '../../ui/text'
import { CategoryInput, TagsInput } from './dictionaryInputs'

/** There is one platform: nobody becomes one. */
const childType = createMerchant.input.shape.type
const TypeSelect = inputFor(merchantFields.type, childType)
const ChildTypeInput = (props: InputProps) => <TypeSelect {...props} schema={childType} />

const lists = [listMerchantTree, listMerchants, listServicePhones]
const shown = [...lists, getMerchant]
const words = { category: CategoryInput, tags: TagsInput }
const reach = { key: 'reach', names: ['contact', 'phone', 'address', 'servicePhone'] }
const features = {
  key: 'features',
  names: [
    'collectsPayment',
    'pickupCodeLimit',
    'currency',
    'exchangeRate',
    'category',
    'tags',
    'singleSession',
    'hasHighGo',
    'hasPharmacy',
    'hasShopping',
  ],
}
const switches = {
  collectsPayment: false,
  singleSession: false,
  hasHighGo: false,
  hasPharmacy: false,
  hasShopping: false,
}

export function CreateMerchant() {
  const t = useText('merchant')
  const [tell, told] = useFirstPassword()
  const own = useSession()?.info?.merchant.id
  return (
    <>
      <CommandButton
        endpoint={createMerchant}
        verb="createMerchant"
        t={t}
        tone="main"
        fields={merchantFields}
        groups={[
          { key: 'place', names: ['parentId', 'code', 'name', 'type'] },
          { key: 'admin', names: ['loginName', 'adminName', 'adminPhone'] },
          reach,
          features,
        ]}
        inputs={{ parentId: MerchantInput, ...words }}
        initial={{ ...(own ? { parentId: own } : {}), type: 'ordinary', exchangeRate: 1, ...switches }}
        changes={shown}
        onDone={({ firstPassword }) => tell(firstPassword, (vars) => t('verb.createMerchant.done', vars))}
      />
      {told}
    </>
  )
}

/** What is greyed says why: the state, or that it is one's own. */
export function MerchantVerbs({ merchant }: { merchant: MerchantDetail }) {
  const t = useText('merchant')
  const { id, version, code, name, state, isOwn, type, userCount, machineCount } = merchant
  const isRoot = type === 'platform'
  const isOther = !isOwn && !isRoot
  const about = { t, target: { id }, changes: shown, vars: { code, name, users: userCount, machines: machineCount } }
  return (
    <>
      <EditMerchant merchant={merchant} />
      <CommandButton
        {...about}
        endpoint={stopMerchant}
        verb="stopMerchant"
        tone="danger"
        isEnabled={isOther && merchantState.can(state, 'stop')}
      />
      <CommandButton
        {...about}
        endpoint={resumeMerchant}
        verb="resumeMerchant"
        tone="main"
        isEnabled={merchantState.can(state, 'resume')}
      />
      <CommandButton
        {...about}
        endpoint={moveMerchant}
        verb="moveMerchant"
        target={{ id, version }}
        inputs={{ parentId: MerchantInput }}
        isEnabled={isOther}
      />
      <RemoveButton {...about} endpoint={deleteMerchant} verb="deleteMerchant" isEnabled={isOther} changes={lists} />
    </>
  )
}

function EditMerchant({ merchant }: { merchant: MerchantDetail }) {
  const t = useText('merchant')
  const kind = useSession()?.info?.kind
  const { id, version, code, name, type, isOwn } = merchant
  const facts = ['name', 'type']
  const groups = [{ key: 'place', names: facts }, reach, features]
  const initial = Object.fromEntries(
    groups.flatMap(({ names }) => names).map((each) => [each, merchant[each as keyof MerchantDetail]]),
  )
  const isHeld = isOwn && kind !== 'platform_admin'
  const locked = isHeld
    ? Object.fromEntries(Object.keys(limits).map((each) => [each, t('lock.own')]))
    : type === 'platform'
      ? { type: t('lock.platform') }
      : {}
  return (
    <CommandButton
      endpoint={editMerchant}
      verb="editMerchant"
      t={t}
      target={{ id, version }}
      vars={{ code, name }}
      fields={merchantFields}
      groups={groups}
      inputs={type === 'platform' ? words : { ...words, type: ChildTypeInput }}
      initial={initial}
      locked={locked}
      changes={shown}
    />
  )
}
