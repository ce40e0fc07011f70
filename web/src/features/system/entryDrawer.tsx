import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { type Language, languageNames, languages } from '@aisle/contract/kernel/text'
import { getLanguageEntry, listLanguageEntries, overrideText, resetText } from '@aisle/contract/system/languageEntry'
import { CommandButton } from '../../admin/commandButton'
import { When } from '../../admin/fields/time'
import { Form } from '../../admin/form/form'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { refetch, useEndpoint } from '../../live/query'
import { can } from '../../live/session'
import { Facts } from '../../ui/facts'
import { toast } from '../../ui/feedback/notice'
import { useText } from '../../ui/text'
import styles from './settings.module.css'

type Entry = OutputOf<typeof getLanguageEntry>

const fields = {
  zh: { kind: 'longText' },
  en: { kind: 'longText' },
  fr: { kind: 'longText' },
  ko: { kind: 'longText' },
} as const

/** A text in four languages, to be said otherwise; what it is shipped as stands below. */
export function EntryDrawer({ id }: DrawerRow) {
  const t = useText('system')
  const result = useEndpoint(getLanguageEntry, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ key }) => key}
      head={({ namespace, changedAt, changedBy }) => (
        <p className={styles.settingSource}>
          {t.any(`namespace.${namespace}`)}
          {changedAt && (
            <>
              {' · '}
              {changedBy} <When at={changedAt} />
            </>
          )}
        </p>
      )}
      actions={(entry) => (
        <CommandButton
          endpoint={resetText}
          verb="resetText"
          target={{ id: entry.id }}
          vars={{ key: entry.key }}
          t={t}
          isEnabled={entry.overridden.length > 0}
          changes={[listLanguageEntries, getLanguageEntry]}
        />
      )}
    >
      {(entry) => <EntryForm entry={entry} />}
    </RowDrawer>
  )
}

function EntryForm({ entry }: { entry: Entry }) {
  const t = useText('system')
  const { id, version, placeholders, shipped, overridden, untranslated } = entry
  const said = Object.fromEntries(languages.map((language) => [language, entry[language]]))
  const saved = async () => {
    toast('good', t('verb.overrideText.done', { key: entry.key }))
    await refetch(listLanguageEntries, getLanguageEntry)
  }
  const noteOf = (language: Language) =>
    overridden.includes(language)
      ? t('entry.overridden')
      : untranslated.includes(language)
        ? t('entry.untranslated')
        : t('entry.asShipped')
  return (
    <div className={styles.entry}>
      <p className={styles.settingSource}>
        {placeholders.length === 0
          ? t('entry.noPlaceholders')
          : t('entry.placeholders', { names: placeholders.map((name) => `{{${name}}}`).join(' ') })}
      </p>
      <Form
        key={id}
        spec={{ endpoint: overrideText, fields, target: { id, version }, initial: said, t }}
        save={can(overrideText.access) ? t('verb.overrideText') : null}
        onSaved={saved}
      />
      <h3>{t('entry.shipped')}</h3>
      <Facts
        facts={languages.map((language) => ({
          label: `${languageNames[language]} · ${noteOf(language)}`,
          value: <span lang={language}>{shipped[language]}</span>,
        }))}
      />
    </div>
  )
}
