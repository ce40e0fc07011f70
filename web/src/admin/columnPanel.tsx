import { Icon } from '../ui/icons'
import { type Text, useText } from '../ui/text'
import { arrange, moved, toggled } from './columns'
import type { ListPrefs } from './stored'
import styles from './list.module.css'

type Panel = {
  page: { columns: readonly string[]; hidden?: readonly string[] }
  prefs: ListPrefs
  setPrefs: (change: Partial<ListPrefs>) => void
  t: Text
}

/** Which columns, in which order, in rows of which height. */
export function ColumnPanel({ page, prefs, setPrefs, t }: Panel) {
  const kit = useText('admin')
  const names = arrange(page.columns.slice(1), prefs.order)
  const shipped = { order: [], hidden: [...(page.hidden ?? [])], isCompact: false }
  return (
    <div className={styles.columnPanel}>
      <ul>
        {names.map((name, at) => (
          <li key={name}>
            <label>
              <input
                type="checkbox"
                checked={!prefs.hidden.includes(name)}
                onChange={() => setPrefs({ hidden: toggled(prefs.hidden, name) })}
              />
              {t.any(`field.${name}`)}
            </label>
            <Mover
              word={t.any(`field.${name}`)}
              isFirst={at === 0}
              isLast={at === names.length - 1}
              move={(by) => setPrefs({ order: moved(names, name, by) })}
            />
          </li>
        ))}
      </ul>
      <Density isCompact={prefs.isCompact} setPrefs={setPrefs} />
      <button type="button" className="btn-plain" onClick={() => setPrefs(shipped)}>
        {kit('list.columns.reset')}
      </button>
    </div>
  )
}

function Mover(props: { word: string; isFirst: boolean; isLast: boolean; move: (by: -1 | 1) => void }) {
  const { word, isFirst, isLast, move } = props
  const kit = useText('admin')
  const up = kit('list.columns.up', { name: word })
  const down = kit('list.columns.down', { name: word })
  return (
    <>
      <button type="button" className="icon-btn turn-up" aria-label={up} disabled={isFirst} onClick={() => move(-1)}>
        <Icon name="down" size={14} />
      </button>
      <button type="button" className="icon-btn" aria-label={down} disabled={isLast} onClick={() => move(1)}>
        <Icon name="down" size={14} />
      </button>
    </>
  )
}

function Density({ isCompact, setPrefs }: Pick<Panel, 'setPrefs'> & { isCompact: boolean }) {
  const kit = useText('admin')
  return (
    <fieldset>
      <legend>{kit('list.density')}</legend>
      {[false, true].map((each) => (
        <label key={String(each)}>
          <input
            type="radio"
            name="density"
            checked={isCompact === each}
            onChange={() => setPrefs({ isCompact: each })}
          />
          {each ? kit('list.density.compact') : kit('list.density.comfortable')}
        </label>
      ))}
    </fieldset>
  )
}
