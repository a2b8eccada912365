// Types and functions declared at the top level of the sources, by name.
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

export interface Declaration {
  readonly kind: "function" | "type";
  readonly name: string;
  readonly path: string;
  readonly exported: boolean;
}

type Named = Pick<Declaration, "kind" | "name">;

const namesOf = (statement: ts.Statement): readonly Named[] => {
  if (
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isClassDeclaration(statement)
  )
    return [{ kind: "type", name: statement.name?.text ?? "" }];
  if (ts.isFunctionDeclaration(statement))
    return [{ kind: "function", name: statement.name?.text ?? "" }];
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.flatMap(({ name, initializer }): Named[] =>
    initializer !== undefined &&
    (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer))
      ? [{ kind: "function", name: name.getText() }]
      : [],
  );
};

const isExported = (statement: ts.Statement): boolean =>
  ts.canHaveModifiers(statement) &&
  (ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false);

const declarationsIn = (path: string): readonly Declaration[] => {
  const source = ts.createSourceFile(
    path,
    readFileSync(`${ROOT}${path}`, "utf8"),
    ts.ScriptTarget.Latest,
    true,
  );
  return source.statements.flatMap((statement) =>
    namesOf(statement).map((named) => ({
      ...named,
      path,
      exported: isExported(statement),
    })),
  );
};

/** What src and workers declare, without tests. */
export const declarations = (): readonly Declaration[] =>
  globSync("{src,workers}/**/*.ts", { cwd: ROOT })
    .filter((path) => !path.endsWith(".test.ts"))
    .flatMap(declarationsIn);

/** Names that several files declare, each with these files. */
export const declaredTwice = (all: readonly Declaration[]): readonly string[] =>
  [...Map.groupBy(all, ({ name }) => name)].flatMap(([name, found]) => {
    const paths = [...new Set(found.map(({ path }) => path))];
    return paths.length > 1 ? [`${name}: ${paths.join(", ")}`] : [];
  });
