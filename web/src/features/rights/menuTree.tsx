import { arrangeMenu, getMenu, type MenuEntry } from '@aisle/contract/rights/menu'
import { refetch, useCommand } from '../../live/query'
import { can } from '../../live/session'
import { Icon, isIconName } from '../../ui/icons'
import { Tag } from '../../ui/tag'
import { useText } from '../../ui/text'
import { type Menu, useMenuNames } from './menuNames'
import styles from './menu.module.css'
import { classes } from '../../ui/classes'

type Choice = { chosen: string | null; choose: (key: string) => void }

/** The menu as it stands, hidden entries too; what differs from above is marked. */
export function MenuTree({ menu, ...choice }: { menu: Menu } & Choice) {
  const nowhere = menu.items.filter(({ parent }) => parent !== null && !menu.items.some(({ key }) => key === parent))
  const t = useText('rights')
  return (
    <>
      <Level menu={menu} parent={null} {...choice} />
      {nowhere.length > 0 && (
        <div className={styles.nowhere}>
          <h2>{t('menu.nowhere')}</h2>
          <ul>
            {nowhere.map((item) => (
              <li key={item.key}>
                <Entry item={item} {...choice} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  )
}

function Level({ menu, parent, ...choice }: { menu: Menu; parent: string | null } & Choice) {
  const items = menu.items.filter((item) => item.parent === parent)
  if (items.length === 0) return null
  return (
    <ul className={styles.level}>
      {items.map((item, at) => (
        <li key={item.key}>
          <div className={styles.lineOf}>
            <Entry item={item} {...choice} />
            <Moves menu={menu} items={items} at={at} parent={parent} />
          </div>
          <Level menu={menu} parent={item.key} {...choice} />
        </li>
      ))}
    </ul>
  )
}

function Entry({ item, chosen, choose }: { item: MenuEntry } & Choice) {
  const t = useText('rights')
  const nameOf = useMenuNames()
  return (
    <button
      type="button"
      className={item.kind === 'group' ? classes(styles.entry, styles.entryGroup) : styles.entry}
      aria-pressed={chosen === item.key}
      onClick={() => choose(item.key)}
    >
      {item.icon && isIconName(item.icon) && <Icon name={item.icon} size={15} />}
      <span className={item.isHidden ? styles.hidden : undefined}>{nameOf(item)}</span>
      {item.isHidden && <Tag tone="idle" word={t('menu.hidden')} hint={t('menu.hidden.help')} />}
      {item.own && <Tag tone="busy" word={t('menu.changed')} hint={t('menu.changed.help')} />}
    </button>
  )
}

/** One place up or down among its neighbours. */
function Moves(props: { menu: Menu; items: readonly MenuEntry[]; at: number; parent: string | null }) {
  const { menu, items, at, parent } = props
  const t = useText('rights')
  const nameOf = useMenuNames()
  const arranging = useCommand(arrangeMenu, { onSuccess: () => refetch(getMenu) })
  const item = items[at]
  if (!item || !can(arrangeMenu.access)) return null
  const move = (by: -1 | 1) => {
    const keys = items.map(({ key }) => key)
    keys.splice(at, 1)
    keys.splice(at + by, 0, item.key)
    arranging.mutate({ merchantId: menu.merchantId, parent, keys })
  }
  const name = nameOf(item)
  return (
    <span className={styles.moves}>
      <button
        type="button"
        className="icon-btn turn-up"
        aria-label={t('menu.up', { name })}
        disabled={at === 0 || arranging.isPending}
        onClick={() => move(-1)}
      >
        <Icon name="down" size={14} />
      </button>
      <button
        type="button"
        className="icon-btn"
        aria-label={t('menu.down', { name })}
        disabled={at === items.length - 1 || arranging.isPending}
        onClick={() => move(1)}
      >
        <Icon name="down" size={14} />
      </button>
    </span>
  )
}
