import * as contract from '@aisle/contract/catalog/product'
import { productState } from '@aisle/contract/catalog/states'
import { listProductBatches } from '@aisle/contract/medicine/batch'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { screenOf } from '@aisle/contract/screens'
import { AppLink } from '../../admin/appLink'
import { CommandButton } from '../../admin/commandButton'
import { StateTags } from '../../admin/fields/state'
import { Scans } from '../../shelf/scansInput'
import { RemoveButton } from '../../admin/removeButton'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { can } from '../../live/session'
import { Tabs } from '../../ui/control/tabs'
import { Picture } from '../../ui/picture'
import { useText } from '../../ui/text'
import styles from './product.module.css'
import { ProductBatches } from './productBatches'
import { ProductHistory, ProductPrices } from './productHistory'
import { TagWords } from './productInputs'
import { ProductSales } from './productSales'
import { ProductStanding } from './productStanding'
import { products } from './products'

export type Product = OutputOf<typeof contract.getProduct>
const changes = [contract.listProducts, contract.getProduct]

/** One product: where it stands, what it sold, what it cost when, all that is known of it, and who changed what. */
export function ProductDrawer({ id, tab, pickTab }: DrawerRow) {
  const t = useText('catalog')
  const result = useEndpoint(contract.getProduct, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ name }) => name}
      head={(product) => <Head product={product} />}
      actions={(product) => <Verbs product={product} />}
    >
      {(product) => (
        <Tabs
          label={product.name}
          current={tab}
          onPick={pickTab}
          tabs={[
            { key: 'standing', label: t('product.tab.standing'), panel: <ProductStanding product={product} /> },
            ...(product.kind === 'medicine' && can(listProductBatches.access)
              ? [{ key: 'batches', label: t('product.tab.batches'), panel: <Batches product={product} /> }]
              : []),
            { key: 'sales', label: t('product.tab.sales'), panel: <ProductSales product={product} /> },
            { key: 'prices', label: t('product.tab.prices'), panel: <ProductPrices product={product} /> },
            { key: 'facts', label: t('product.tab.facts'), panel: <Known product={product} /> },
            { key: 'history', label: t('product.tab.history'), panel: <ProductHistory product={product} /> },
          ]}
        />
      )}
    </RowDrawer>
  )
}

/** More than one page of a medicine's batches is read on their own screen. */
function Batches({ product: { id, code } }: { product: Product }) {
  const { data } = useEndpoint(listProductBatches, { productId: id, pageSize: 100 })
  return data ? <ProductBatches lying={data} code={code} /> : null
}

function Head({ product }: { product: Product }) {
  const t = useText('catalog')
  const { picture, code, specification, brand, state, kind, medicineClass } = product
  const { fields } = contract.product
  return (
    <div className={styles.head}>
      <Picture src={picture} size={56} />
      <div>
        <p className="quiet">{[code, brand, specification].filter(Boolean).join(' · ')}</p>
        <div className="tags">
          <StateTags value={state} field={fields.state} t={t} />
          {kind === 'medicine' && <StateTags value={medicineClass} field={fields.medicineClass} t={t} />}
        </div>
      </div>
    </div>
  )
}

function Verbs({ product }: { product: Product }) {
  const t = useText('catalog')
  const { id, name, state, slotCount } = product
  const common = { t, target: { id }, vars: { name, slots: slotCount }, changes }
  const { path, access } = screenOf('spgl/xzsp')
  const prices = screenOf('shj/hdgl')
  return (
    <>
      {can(access) && (
        <AppLink path={path} search={{ id: String(id) }} className="btn">
          {t('verb.edit')}
        </AppLink>
      )}
      {can(prices.access) && (
        <AppLink path={prices.path} search={{ part: 'prices', products: String(id) }} className="btn">
          {t('verb.changePrices')}
        </AppLink>
      )}
      <CommandButton
        {...common}
        endpoint={contract.takeOffline}
        verb="takeOffline"
        tone="danger"
        isEnabled={productState.can(state, 'takeOffline')}
      />
      <CommandButton
        {...common}
        endpoint={contract.relist}
        verb="relist"
        tone="main"
        isEnabled={productState.can(state, 'relist')}
      />
      <RemoveButton
        {...common}
        endpoint={contract.removeProduct}
        verb="removeProduct"
        isEnabled={slotCount === 0}
        changes={[contract.listProducts]}
      />
    </>
  )
}

function Known({ product }: { product: Product }) {
  const t = useText('catalog')
  const { barcodes, tags, pictures, merchantId } = product
  const codes = barcodes.map(({ code, packUnits }) => (packUnits > 1 ? `${code} ×${packUnits}` : code)).join(' · ')
  return (
    <products.Known
      row={product}
      instead={{
        ...(codes && { barcodes: <span className={styles.code}>{codes}</span> }),
        ...(tags.length > 0 && { tags: <TagWords codes={tags} merchantId={merchantId} /> }),
        ...(pictures.length > 0 && { pictures: <Scans pictures={pictures} label={t('field.pictures')} /> }),
      }}
      without={['name', 'state', 'picture', 'categoryId', 'conditionIds', 'standing', 'prices', 'history']}
    />
  )
}
