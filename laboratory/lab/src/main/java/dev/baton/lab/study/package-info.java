/**
 * The studies, a package each, and what those have in common that plan all trials before the first one runs. The registry of {@code
 * results} finds them; a study uses the packages of the laboratory, and may use other studies as long as there is no cycle.
 */
package dev.baton.lab.study;
