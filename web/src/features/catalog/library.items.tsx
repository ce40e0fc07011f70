import * as contract from '@aisle/contract/catalog/library'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { CommandButton } from '../../admin/commandButton'
import { ScreenLink } from '../../admin/fields/ref'
import { MerchantInput } from '../../admin/form/refInput'
import { listPage } from '../../admin/listPage'
import { record } from '../../admin/record'
import type { DrawerRow } from '../../admin/rowDrawer'
import { Section } from '../../ui/feedback/drawer'
import { useText } from '../../ui/text'
import { BarcodesInput } from './barcodesInput'
import { LinePrices } from './linePrices'
import { PictureInput, PicturesInput } from './pictureInputs'
import styles from './library.module.css'

type Item = OutputOf<typeof contract.getLibraryItem>

const items = record({
  of: contract.libraryItem,
  list: contract.listLibraryItems,
  get: contract.getLibraryItem,
  add: contract.addLibraryItem,
  edit: contract.editLibraryItem,
  remove: contract.removeLibraryItem,
  inputs: { barcodes: BarcodesInput, picture: PictureInput, pictures: PicturesInput },
  isUnused: ({ copies }) => copies === 0,
})

const money = { costFen: { kind: 'money' }, priceFen: { kind: 'money' } } as const

/** For merchandisers who begin, and platform staff: what is known already need not be typed again. */
export const LibraryItems = listPage({
  screen: 'spgl/ptspk',
  part: 'library',
  ...items.page({
    columns: ['name', 'picture', 'brand', 'specification', 'manufacturer', 'category', 'copies'],
    filters: ['q', 'category', 'copied'],
    moreFilters: ['kind', 'brand'],
    batch: [
      {
        endpoint: contract.copyLibraryItems,
        verb: 'copyLibraryItems',
        fields: money,
        inputs: { merchantId: MerchantInput, prices: LinePrices },
      },
    ],
    drawer: ItemDrawer,
  }),
})

function ItemDrawer({ id }: DrawerRow) {
  const t = useText('catalog')
  return (
    <items.Drawer id={id} tags={['kind']} verbs={(item) => <Copy item={item} />}>
      {(item) => (
        <>
          <items.Known
            row={item}
            without={['name', 'kind', 'pictures']}
            instead={{ barcodes: item.barcodes.map(({ code }) => code).join(', ') || '–' }}
          />
          {item.products.length > 0 && (
            <Section title={t('library.copies')}>
              <ul className={styles.lines}>
                {item.products.map(({ id: productId, code, name, merchantName }) => (
                  <li key={productId}>
                    <ScreenLink screen="spgl/wdsp" search={{ code }}>
                      {code}
                    </ScreenLink>{' '}
                    {name} <small className="quiet">{merchantName}</small>
                  </li>
                ))}
              </ul>
            </Section>
          )}
        </>
      )}
    </items.Drawer>
  )
}

function Copy({ item: { id, name } }: { item: Item }) {
  const t = useText('catalog')
  return (
    <CommandButton
      endpoint={contract.copyLibraryItem}
      verb="copyLibraryItem"
      t={t}
      tone="main"
      target={{ id }}
      vars={{ name }}
      fields={money}
      inputs={{ merchantId: MerchantInput }}
      changes={items.shown}
    />
  )
}
