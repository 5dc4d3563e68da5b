import { useTranslation } from 'react-i18next';
import { SegmentedControl } from '../../components/ui/segmented-control.tsx';
import { chooseLanguage, type Language, languages } from '../../lib/i18n.ts';
import { themes, useTheme } from '../../lib/theme.ts';

/** Theme and language of the console in this browser. */
export function Appearance() {
  const { t, i18n } = useTranslation();
  const [theme, setTheme] = useTheme();
  return (
    <div className="grid max-w-2xl gap-4 sm:grid-cols-2">
      <SegmentedControl
        label={t('menu.theme')}
        value={theme}
        onChange={setTheme}
        options={themes.map((value) => ({ value, label: t(`menu.${value}`) }))}
      />
      <SegmentedControl
        label={t('menu.language')}
        value={i18n.language as Language}
        onChange={chooseLanguage}
        options={(Object.keys(languages) as Language[]).map((value) => ({ value, label: languages[value] }))}
      />
    </div>
  );
}
