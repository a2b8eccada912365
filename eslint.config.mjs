// The one linter. Biome only formats. Rules beyond strictTypeChecked are the ones the project's style names.
import { defineConfig } from "eslint/config";
import tseslint from "typescript-eslint";

const noDefaultExport = { selector: "ExportDefaultDeclaration", message: "Use a named export." };
const hiddenInputs = [
  {
    selector: "NewExpression[callee.name='Date'][arguments.length=0]",
    message: "Take the time as an argument.",
  },
  {
    selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']",
    message: "Take the time as an argument.",
  },
  {
    selector: "CallExpression[callee.object.name='Math'][callee.property.name='random']",
    message: "Take the random source as an argument.",
  },
  {
    selector: "CallExpression[callee.property.name='randomUUID']",
    message: "Take the id as an argument.",
  },
];

export default defineConfig(
  { ignores: ["node_modules/", "**/*.mjs", "*.config.*"] },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: false },
      ],
      "@typescript-eslint/only-throw-error": "error",
      complexity: ["error", 15],
      "max-depth": ["error", 3],
      "max-lines": ["error", { max: 400, skipBlankLines: true, skipComments: true }],
      "max-lines-per-function": ["error", { max: 70, skipBlankLines: true, skipComments: true }],
      // Objects come from factories that close over their state, so a function of theirs may be passed on by itself.
      "@typescript-eslint/unbound-method": "off",
      "no-console": "error",
      "no-restricted-syntax": ["error", noDefaultExport],
      "no-restricted-properties": [
        "error",
        {
          object: "process",
          property: "env",
          message: "Read the environment in src/main.ts only.",
        },
      ],
    },
  },
  {
    files: ["src/model/**", "src/shared/**", "src/codec/**", "src/rule-language/**", "workers/**"],
    // The one place where the clock is read.
    ignores: ["src/shared/clock.ts"],
    rules: { "no-restricted-syntax": ["error", noDefaultExport, ...hiddenInputs] },
  },
  { files: ["src/main.ts"], rules: { "no-restricted-properties": "off" } },
  {
    files: ["**/*.test.ts", "test/**", "bench/**", "examples/**"],
    rules: {
      "max-lines-per-function": "off",
      "max-lines": "off",
      "no-restricted-properties": "off",
    },
  },
);
