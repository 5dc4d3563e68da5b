import { Monitor, Moon, Sun } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { chooseLanguage, type Language, languages } from '../lib/i18n.ts';
import { type Theme, themes, useTheme } from '../lib/theme.ts';
import { SegmentedControl } from './ui/segmented-control.tsx';

const themeIcons: Record<Theme, typeof Sun> = { light: Sun, dark: Moon, system: Monitor };

/** Theme and language of the console, stored in this browser. */
export function AppearanceControls() {
  const { t, i18n } = useTranslation();
  const [theme, setTheme] = useTheme();
  return (
    <>
      <SegmentedControl
        label={t('menu.theme')}
        value={theme}
        onChange={setTheme}
        options={themes.map((value) => {
          const Icon = themeIcons[value];
          return { value, label: t(`menu.${value}`), icon: <Icon aria-hidden /> };
        })}
      />
      <SegmentedControl
        label={t('menu.language')}
        value={i18n.language as Language}
        onChange={chooseLanguage}
        options={(Object.keys(languages) as Language[]).map((value) => ({ value, label: languages[value] }))}
      />
    </>
  );
}
