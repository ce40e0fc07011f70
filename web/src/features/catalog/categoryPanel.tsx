import type { Branch, CategoryTree } from '@aisle/contract/catalog/category'
import { listProducts } from '@aisle/contract/catalog/product'
import { countText } from '../../admin/fields/number'
import { ScreenLink } from '../../admin/fields/ref'
import { useEndpoint } from '../../live/query'
import { Facts } from '../../ui/facts'
import { Section } from '../../ui/feedback/drawer'
import { Picture } from '../../ui/picture'
import { useText } from '../../ui/text'
import styles from './categories.module.css'
import { CategoryVerbs } from './categoryVerbs'

type Shown = { tree: CategoryTree; branch: Branch; items: readonly Branch[]; onRemoved: () => void }

/** One category: what may be done with it, and what is sold under it. */
export function CategoryPanel({ tree, branch, items, onRemoved }: Shown) {
  const t = useText('catalog')
  const { name, picture, remark, merchantName, productCount, id } = branch
  const filter = tree === 'condition' ? { conditionId: id } : { categoryId: id }
  return (
    <div className={styles.panel}>
      <div className={styles.named}>
        <Picture src={picture} size={64} />
        <div>
          <p className="quiet">{above(items, branch).join(' / ') || t.any(`tree.${tree}`)}</p>
          <h2>{name}</h2>
        </div>
      </div>
      <div className={styles.verbs}>
        <CategoryVerbs {...{ tree, branch, items, onRemoved }} />
      </div>
      <Facts
        facts={[
          { label: t('field.merchantName'), value: merchantName },
          { label: t('field.productCount'), value: countText(productCount) },
          { label: t('field.remark'), value: remark },
        ]}
      />
      {tree !== 'combination' && <Products filter={filter} count={productCount} />}
    </div>
  )
}

function above(items: readonly Branch[], { parentId }: Branch): string[] {
  const parent = items.find(({ id }) => id === parentId)
  return parent ? [...above(items, parent), parent.name] : []
}

const SHOWN = 20

/** The first of them, and the way to all. */
function Products({ filter, count }: { filter: { conditionId: number } | { categoryId: number }; count: number }) {
  const t = useText('catalog')
  const { data } = useEndpoint(listProducts, { ...filter, pageSize: SHOWN }, { errors: 'silent' })
  const search = Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, String(value)]))
  const rows = data?.items ?? []
  return (
    <Section
      title={t('category.products')}
      note={
        count > 0 && (
          <ScreenLink screen="spgl/wdsp" search={search}>
            {t('category.all', { count })}
          </ScreenLink>
        )
      }
    >
      {data && rows.length === 0 && <p className="quiet">{t('category.products.none')}</p>}
      <ul className={styles.rows}>
        {rows.map(({ id, name, code, picture, specification }) => (
          <li key={id}>
            <Picture src={picture} size={32} />
            <span>
              <ScreenLink screen="spgl/wdsp" search={{ open: String(id) }}>
                {name}
              </ScreenLink>{' '}
              <small className="quiet">{[code, specification].filter(Boolean).join(' · ')}</small>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
