import * as contract from '@aisle/contract/catalog/library'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { CommandButton } from '../../admin/commandButton'
import { StateCell } from '../../admin/fields/state'
import { When } from '../../admin/fields/time'
import { listPage } from '../../admin/listPage'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Facts } from '../../ui/facts'
import { Section } from '../../ui/feedback/drawer'
import { Picture } from '../../ui/picture'
import { useText } from '../../ui/text'
import { ItemInput, OneProduct } from './library.inputs'
import styles from './library.module.css'

type Addition = OutputOf<typeof contract.getLibraryAddition>
const shown = [contract.listLibraryAdditions, contract.getLibraryAddition, contract.listLibraryItems] as const
const PICTURE_PX = 120

/** For platform staff, daily: what merchants added, with what it may be the same as. Merchants see their own. */
export const LibraryAdditions = listPage({
  screen: 'spgl/ptspk',
  part: 'additions',
  list: contract.listLibraryAdditions,
  fields: contract.additionFields,
  words: 'catalog',
  columns: [
    'name',
    'picture',
    'state',
    'brand',
    'specification',
    'merchantName',
    'offeredBy',
    'offeredAt',
    'reason',
    'manufacturer',
    'kind',
    'reviewedBy',
    'reviewedAt',
  ],
  hidden: ['manufacturer', 'kind', 'reviewedBy', 'reviewedAt'],
  sortable: { offeredAt: 'newest' },
  filters: ['q', 'state', 'waiting'],
  moreFilters: ['merchantId'],
  actions: Offer,
  drawer: AdditionDrawer,
  live: { kinds: ['libraryItem'], also: [contract.getLibraryAddition] },
})

function Offer() {
  const t = useText('catalog')
  return (
    <CommandButton
      endpoint={contract.offerProducts}
      verb="offerProducts"
      t={t}
      tone="main"
      inputs={{ ids: OneProduct }}
      changes={shown}
    />
  )
}

function AdditionDrawer({ id }: DrawerRow) {
  const t = useText('catalog')
  const result = useEndpoint(contract.getLibraryAddition, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ name }) => name}
      head={({ state }) => (
        <div className="tags">
          <StateCell value={state} field={contract.additionFields.state} t={t} />
        </div>
      )}
      actions={(addition) => <Verbs addition={addition} />}
    >
      {(addition) => (
        <>
          <Picture src={addition.picture} size={PICTURE_PX} />
          <About addition={addition} />
          <Alike addition={addition} />
        </>
      )}
    </RowDrawer>
  )
}

/** The next step first; nobody judges what their own merchant offers. */
function Verbs({ addition: { id, name, state, picture, isOwn, alike } }: { addition: Addition }) {
  const t = useText('catalog')
  const common = { t, target: { id }, vars: { name }, changes: shown }
  const can = (verb: keyof typeof contract.libraryState.moves) => contract.libraryState.can(state, verb) && !isOwn
  const isBare = picture === null
  return (
    <>
      <CommandButton
        {...common}
        endpoint={contract.checkAddition}
        verb="checkAddition"
        {...(!isBare && { tone: 'main' as const })}
        isEnabled={can('check')}
      />
      <CommandButton
        {...common}
        endpoint={contract.pictureAddition}
        verb="pictureAddition"
        fields={{ picture: { kind: 'image' } }}
        isEnabled={can('addPicture')}
      />
      <CommandButton
        {...common}
        endpoint={contract.mergeAddition}
        verb="mergeAddition"
        inputs={{ intoId: ItemInput }}
        {...(alike[0] && { initial: { intoId: alike[0].id } })}
        isEnabled={can('merge')}
      />
      <CommandButton
        {...common}
        endpoint={contract.ignoreAddition}
        verb="ignoreAddition"
        tone="danger"
        isEnabled={can('ignore')}
      />
    </>
  )
}

function About({ addition }: { addition: Addition }) {
  const t = useText('catalog')
  const { brand, specification, unit, manufacturer, category, remark, barcodes, merchantName } = addition
  const { offeredBy, offeredAt, reviewedBy, reviewedAt, reason } = addition
  return (
    <Facts
      facts={[
        { label: t('field.brand'), value: brand },
        { label: t('field.specification'), value: specification },
        { label: t('field.unit'), value: unit },
        { label: t('field.manufacturer'), value: manufacturer },
        { label: t('field.category'), value: category },
        { label: t('field.barcodes'), value: barcodes.map(({ code }) => code).join(', ') },
        { label: t('field.remark'), value: remark },
        { label: t('field.merchantName'), value: merchantName },
        { label: t('field.offeredBy'), value: offeredBy },
        { label: t('field.offeredAt'), value: <When at={offeredAt} /> },
        { label: t('field.reviewedBy'), value: reviewedBy },
        { label: t('field.reviewedAt'), value: reviewedAt && <When at={reviewedAt} /> },
        { label: t('field.reason'), value: reason },
      ]}
    />
  )
}

function Alike({ addition: { alike } }: { addition: Addition }) {
  const t = useText('catalog')
  if (alike.length === 0) return null
  return (
    <Section title={t('library.alike')}>
      <ul className={styles.lines}>
        {alike.map(({ id, name, brand, specification }) => (
          <li key={id}>
            {name} <small className="quiet">{[brand, specification].filter(Boolean).join(' · ')}</small>
          </li>
        ))}
      </ul>
    </Section>
  )
}
