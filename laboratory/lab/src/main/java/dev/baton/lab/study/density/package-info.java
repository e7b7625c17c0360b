/** {@code baton density}: how many instances a machine holds: the search, and what each number needs of the machine. */
package dev.baton.lab.study.density;
