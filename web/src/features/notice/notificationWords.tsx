import { languageNames } from '@aisle/contract/kernel/text'
import { useState } from 'react'
import { Tabs } from '../../ui/control/tabs'
import { useText } from '../../ui/text'
import type { DraftPart } from './draft'
import { AreaField, TextField } from './formParts'
import styles from './formParts.module.css'

const others = ['en', 'fr', 'ko'] as const
type Words = { title: string; body: string }

/** The text beside what a receiver will see; other languages are a tab each and may stay empty. */
export function NotificationWords({ draft, change, faults }: DraftPart) {
  const t = useText('notice')
  const [tab, setTab] = useState('own')
  const { translations } = draft
  const own = (
    <WordFields
      words={draft}
      rules={{ title: t('rule.title'), body: t('rule.body') }}
      faults={{ title: faults.title, body: faults.body }}
      put={change}
    />
  )
  const inLanguage = (language: (typeof others)[number]) => (
    <WordFields
      language={language}
      words={translations[language]}
      rules={{ title: t('rule.translation') }}
      faults={{ title: faults[`translations.${language}.title`], body: faults[`translations.${language}.body`] }}
      put={(part) => change({ translations: { ...translations, [language]: { ...translations[language], ...part } } })}
    />
  )
  const seen = others.find((language) => language === tab)
  const preview = seen && translations[seen].title ? translations[seen] : draft
  const tabs = others.map((language) => ({
    key: language,
    label: languageNames[language],
    panel: inLanguage(language),
  }))
  return (
    <section className={styles.formCard}>
      <h2>{t('section.content')}</h2>
      <div className={styles.messageColumns}>
        <div>
          <Tabs
            label={t('section.languages')}
            current={tab}
            onPick={setTab}
            tabs={[{ key: 'own', label: t('tab.own'), panel: own }, ...tabs]}
          />
        </div>
        <div className={styles.messagePreview} aria-label={t('section.preview')} role="group">
          <small>{t('section.preview')}</small>
          <b>{preview.title || t('preview.title')}</b>
          <p>{preview.body || t('preview.body')}</p>
        </div>
      </div>
    </section>
  )
}

function WordFields(props: {
  language?: string
  words: Words
  rules: { title: string; body?: string }
  faults: { title?: string | undefined; body?: string | undefined }
  put: (part: Partial<Words>) => void
}) {
  const { language, words, rules, faults, put } = props
  const t = useText('notice')
  return (
    <div className={styles.messageForm} lang={language}>
      <TextField
        label={t('field.title')}
        rule={rules.title}
        fault={faults.title}
        value={words.title}
        onChange={(title) => put({ title })}
      />
      <AreaField
        label={t('field.body')}
        rule={rules.body}
        fault={faults.body}
        rows={7}
        value={words.body}
        onChange={(body) => put({ body })}
      />
    </div>
  )
}
