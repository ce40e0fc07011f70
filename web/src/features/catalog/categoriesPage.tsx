import { type Branch, type CategoryTree, listTree, moveCategory } from '@aisle/contract/catalog/category'
import { listMerchants } from '@aisle/contract/merchant/merchant'
import { screenOf } from '@aisle/contract/screens'
import type { ComponentType } from 'react'
import { z } from 'zod'
import { Failure } from '../../admin/failure'
import { Filter } from '../../admin/fields/filter'
import { useAddress } from '../../admin/useAddress'
import { useLive } from '../../admin/useList'
import { can } from '../../live/session'
import { refetch, useCommand, useEndpoint } from '../../live/query'
import { classes } from '../../ui/classes'
import { Tree } from '../../ui/control/tree'
import type { TreePlace } from '../../ui/control/treeMove.rules'
import { Empty } from '../../ui/feedback/empty'
import { Hints } from '../../ui/feedback/hint'
import { toast } from '../../ui/feedback/notice'
import { useText } from '../../ui/text'
import styles from './categories.module.css'
import { CategoryPanel } from './categoryPanel'
import { AddCategory } from './categoryVerbs'

const zKey = z.coerce.number().int().positive().optional()
const shape = { merchantId: zKey, category: zKey }
const live = { kinds: ['category'], also: [] }

/**
 * For merchandisers, when the range changes, some times a season: the whole tree at once, moved by hand until it reads
 * as the shelf does, and beside it the branch that is worked at.
 */
export function categoriesPage(screenKey: string, tree: CategoryTree): ComponentType {
  const screen = screenOf(screenKey)
  return function CategoriesPage() {
    const t = useText('catalog')
    const title = useText('screens').any(screen.key)
    const address = useAddress(screen.path, shape)
    const { merchantId, category } = address.query
    const input = { tree, ...(merchantId ? { merchantId: Number(merchantId) } : {}) }
    const { data, error, refetch: again } = useEndpoint(listTree, input, { errors: 'throw' })
    const owners = useEndpoint(listMerchants, {}, { errors: 'silent', staleTime: 60_000 }).data?.items.length ?? 0
    useLive(live, [listTree])
    const move = useMoving()
    if (!data) return error ? <Failure failure={error} retry={() => void again()} /> : <div className="bone" />
    const { items } = data
    const chosen = items.find(({ id }) => String(id) === category)
    const pick = (id: number | undefined) => address.change({ category: id === undefined ? undefined : String(id) })
    return (
      <div className="list-main">
        <header className="list-head">
          <h1>{title}</h1>
          <div className="list-actions">
            <AddCategory tree={tree} merchantId={merchantId ? Number(merchantId) : undefined} />
          </div>
        </header>
        <Filter name="merchantId" query={address.query} change={address.change} fields={{}} shape={shape} t={t} />
        <div className={styles.page}>
          <section className={classes('list-card', styles.part)} aria-label={title}>
            {items.length === 0 ? (
              <Empty icon="grid" title={t.any(`category.empty.${tree}`)} text={t.any(`category.empty.${tree}.hint`)} />
            ) : (
              <>
                <Tree
                  label={title}
                  mode="single"
                  hasSearch
                  open={items.map(({ id }) => id)}
                  nodes={items.map((branch) => nodeOf(branch, owners > 1))}
                  selected={new Set(chosen ? [chosen.id] : [])}
                  onSelect={([id]) => pick(id)}
                  {...(move && { onMove: (id, place) => move(items, id, place) })}
                />
                {move && <p className="quiet">{t('category.howToMove')}</p>}
              </>
            )}
          </section>
          <section className={classes('list-card', styles.part)} aria-label={t('category.chosen')}>
            {chosen ? (
              <CategoryPanel key={chosen.id} {...{ tree, branch: chosen, items }} onRemoved={() => pick(undefined)} />
            ) : (
              <Empty icon="grid" title={t('category.none')} text={t('category.none.hint')} />
            )}
          </section>
        </div>
        <Hints />
      </div>
    )
  }
}

const nodeOf = ({ id, parentId, name, productCount, merchantName }: Branch, isNamed: boolean) => ({
  id,
  parentId,
  name,
  count: productCount,
  ...(isNamed && parentId === null && { note: merchantName }),
})

/** Undefined for who may only look. */
function useMoving() {
  const t = useText('catalog')
  const { mutate } = useCommand(moveCategory)
  if (!can(moveCategory.access)) return undefined
  return (items: readonly Branch[], id: number, { parentId, before }: TreePlace) => {
    const name = items.find((each) => each.id === id)?.name ?? ''
    mutate(
      { id, parentId, before },
      {
        onSuccess: () => {
          toast('good', t('verb.moveCategory.done', { name }))
          void refetch(listTree)
        },
      },
    )
  }
}
