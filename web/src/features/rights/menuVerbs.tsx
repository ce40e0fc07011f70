import { arrangeMenu, getMenu, type MenuEntry, resetMenu } from '@aisle/contract/rights/menu'
import { CommandButton } from '../../admin/commandButton'
import { refetch, useCommand } from '../../live/query'
import { toast } from '../../ui/feedback/notice'
import { useText } from '../../ui/text'
import { holdersFor, type Menu, useMenuNames } from './menuNames'
import styles from './menu.module.css'

/** Forgets all that was changed here; the way back for whoever hid too much. */
export function ResetMenu({ menu: { merchantId, changed } }: { menu: Menu }) {
  const t = useText('rights')
  return (
    <div className="list-actions">
      <CommandButton
        endpoint={resetMenu}
        verb="resetMenu"
        target={{ merchantId, key: '' }}
        vars={{ count: changed }}
        t={t}
        tone="danger"
        isEnabled={changed > 0}
        changes={[getMenu]}
      />
    </div>
  )
}

export function ResetEntry({ menu: { merchantId }, item }: { menu: Menu; item: MenuEntry }) {
  const t = useText('rights')
  const nameOf = useMenuNames()
  return (
    <CommandButton
      endpoint={resetMenu}
      verb="resetEntry"
      target={{ merchantId, key: item.key }}
      vars={{ name: nameOf(item) }}
      t={t}
      isEnabled={item.own !== null}
      changes={[getMenu]}
    />
  )
}

/** Into another group or section, at its end. */
export function MoveTo({ menu, item }: { menu: Menu; item: MenuEntry }) {
  const t = useText('rights')
  const nameOf = useMenuNames()
  const moving = useCommand(arrangeMenu, {
    onSuccess: async () => {
      toast('good', t('menu.moved', { name: nameOf(item) }))
      await refetch(getMenu)
    },
  })
  const holders = holdersFor(menu, item)
  if (holders.length === 0) return null
  const move = (parent: string) => {
    const there = menu.items.filter((each) => each.parent === parent && each.key !== item.key)
    moving.mutate({ merchantId: menu.merchantId, parent, keys: [...there.map(({ key }) => key), item.key] })
  }
  const isHeld = holders.some(({ key }) => key === item.parent)
  return (
    <label className={styles.title}>
      <span>{t('menu.holder')}</span>
      <select
        value={isHeld ? (item.parent ?? '') : ''}
        disabled={moving.isPending}
        onChange={(event) => move(event.target.value)}
      >
        {!isHeld && <option value="">{t('menu.holder.none')}</option>}
        {holders.map((holder) => (
          <option key={holder.key} value={holder.key}>
            {holder.kind === 'section' ? `– ${nameOf(holder)}` : nameOf(holder)}
          </option>
        ))}
      </select>
    </label>
  )
}
