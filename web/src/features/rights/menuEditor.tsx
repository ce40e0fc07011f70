import { languageNames, languages } from '@aisle/contract/kernel/text'
import { menuIcons } from '@aisle/contract/menu'
import { editMenuItem, getMenu, type MenuEntry } from '@aisle/contract/rights/menu'
import { type SubmitEvent, useId } from 'react'
import { useRow } from '../../admin/form/useRow'
import { refetch, useCommand } from '../../live/query'
import { can } from '../../live/session'
import { Icon, type IconName } from '../../ui/icons'
import { toast } from '../../ui/feedback/notice'
import { useText } from '../../ui/text'
import { type Menu, useMenuNames } from './menuNames'
import { MoveTo, ResetEntry } from './menuVerbs'
import styles from './menu.module.css'
import rightsStyles from './rights.module.css'

const icons: readonly IconName[] = menuIcons

/** Everything about one entry; what is left empty stays as it is above, at last as it was shipped. */
export function MenuEditor({ menu, item }: { menu: Menu; item: MenuEntry }) {
  const t = useText('rights')
  const nameOf = useMenuNames()
  const own = item.own ?? { version: 0, titles: {}, icon: null, isHidden: null }
  const { version, titles: ownTitles, icon: ownIcon, isHidden: isOwnHidden } = own
  const read = { titles: ownTitles, icon: ownIcon, isHidden: isOwnHidden }
  const row = useRow(read, version)
  if (!row.isDirty && version > row.version) row.take(read, version)
  const { titles, icon, isHidden } = row.values
  const saving = useCommand(editMenuItem, {
    errors: 'throw',
    onSuccess: async (saved) => {
      row.saved(saved.version)
      toast('good', t('menu.saved'))
      await refetch(getMenu)
    },
  })
  const save = (event: SubmitEvent) => {
    event.preventDefault()
    saving.mutate(
      { merchantId: menu.merchantId, key: item.key, version: row.version, ...row.values },
      { onError: row.goOnFrom },
    )
  }
  const mayWrite = can(editMenuItem.access)
  return (
    <form className={styles.form} onSubmit={save}>
      <h2>{nameOf(item)}</h2>
      <p className="quiet">
        <code>{item.path}</code>
      </p>
      <fieldset disabled={!mayWrite}>
        <legend>{t('menu.titles')}</legend>
        {languages.map((language) => (
          <label key={language} className={styles.title}>
            <span lang={language}>{languageNames[language]}</span>
            <input
              lang={language}
              value={titles[language] ?? ''}
              maxLength={40}
              placeholder={item.titles[language] ?? t('menu.asShipped')}
              onChange={(event) => row.change({ titles: { ...titles, [language]: event.target.value } })}
            />
          </label>
        ))}
      </fieldset>
      <IconChoice icon={icon} onPick={(picked) => row.change({ icon: picked })} isLocked={!mayWrite} />
      <Shown
        shown={isHidden === null ? 'above' : isHidden ? 'hidden' : 'shown'}
        onPick={(shown) => row.change({ isHidden: shown === 'above' ? null : shown === 'hidden' })}
        isLocked={!mayWrite}
      />
      {saving.error && (
        <p className="fault" role="alert">
          {saving.error.message}
        </p>
      )}
      {mayWrite && (
        <div className={rightsStyles.actions}>
          <button type="submit" className="btn btn-main" disabled={saving.isPending}>
            {t('menu.save')}
          </button>
          <ResetEntry menu={menu} item={item} />
        </div>
      )}
      {mayWrite && <MoveTo menu={menu} item={item} />}
    </form>
  )
}

function IconChoice(props: { icon: string | null; onPick: (icon: string | null) => void; isLocked: boolean }) {
  const { icon, onPick, isLocked } = props
  const t = useText('rights')
  const name = useId()
  return (
    <fieldset disabled={isLocked}>
      <legend>{t('menu.icon')}</legend>
      <div className={styles.icons}>
        <label>
          <input type="radio" name={name} checked={icon === null} onChange={() => onPick(null)} />
          {t('menu.icon.none')}
        </label>
        {icons.map((each) => (
          <label key={each}>
            <input type="radio" name={name} aria-label={each} checked={icon === each} onChange={() => onPick(each)} />
            <Icon name={each} size={18} />
          </label>
        ))}
      </div>
    </fieldset>
  )
}

function Shown({ shown, onPick, isLocked }: { shown: string; onPick: (shown: string) => void; isLocked: boolean }) {
  const t = useText('rights')
  const name = useId()
  return (
    <fieldset disabled={isLocked}>
      <legend>{t('menu.shown')}</legend>
      {(['above', 'shown', 'hidden'] as const).map((each) => (
        <label key={each} className={styles.shown}>
          <input type="radio" name={name} checked={shown === each} onChange={() => onPick(each)} />
          {t(`menu.shown.${each}`)}
        </label>
      ))}
      <p className="field-rule">{t('menu.shown.rule')}</p>
    </fieldset>
  )
}
