//! Given and family names by culture. Any likeness to a living person is accidental.

/// Names of one culture.
pub(crate) struct Culture {
    pub women: &'static str,
    pub men: &'static str,
    pub family: &'static str,
    /// Female forms of the family names, in the same order; empty if there are none.
    pub family_women: &'static str,
    /// The same names in their own script, in the same order.
    pub native: Option<Native>,
}

/// Names in a script of their own. With `family_first`, the family name comes first and there is no
/// space.
pub(crate) struct Native {
    pub women: &'static str,
    pub men: &'static str,
    pub family: &'static str,
    pub family_women: &'static str,
    pub family_first: bool,
}

pub(crate) const ENGLISH: usize = 0;
pub(crate) const GERMAN: usize = 1;
pub(crate) const FRENCH: usize = 2;
pub(crate) const SPANISH: usize = 3;
pub(crate) const PORTUGUESE: usize = 4;
pub(crate) const ITALIAN: usize = 5;
pub(crate) const DUTCH: usize = 6;
pub(crate) const NORDIC: usize = 7;
pub(crate) const POLISH: usize = 8;
pub(crate) const CZECH: usize = 9;
pub(crate) const INDIAN: usize = 10;
pub(crate) const ARABIC: usize = 11;
pub(crate) const TURKISH: usize = 12;
pub(crate) const WEST_AFRICAN: usize = 13;
pub(crate) const CHINESE: usize = 14;
pub(crate) const JAPANESE: usize = 15;
pub(crate) const KOREAN: usize = 16;
pub(crate) const VIETNAMESE: usize = 17;
pub(crate) const UKRAINIAN: usize = 18;
pub(crate) const GREEK: usize = 19;
pub(crate) const IRISH: usize = 20;

const fn latin(women: &'static str, men: &'static str, family: &'static str) -> Culture {
    Culture {
        women,
        men,
        family,
        family_women: "",
        native: None,
    }
}

pub(crate) const CULTURES: &[Culture] = &[
    // English
    latin(
        "Amelia Charlotte Grace Hannah Emily Sophie Olivia Abigail Claire Eleanor Freya Georgia Holly Imogen Jessica Katherine Lauren Megan Natalie Paige Rebecca Samantha Tessa Victoria Zoe Harriet Bethany Alison Joanna Morgan",
        "Adam Benjamin Callum Daniel Edward Felix George Harry Isaac Jack Kieran Liam Matthew Nathan Oliver Patrick Quentin Robert Samuel Thomas Victor William Zachary Dominic Elliot Graham Jonathan Marcus Philip Stuart",
        "Abbott Barlow Carver Dalton Ellison Fairbank Garrick Hartley Ingram Jessop Kendall Langford Merrick Norwood Oakley Prescott Quigley Ransome Stratton Thornbury Underhill Vickers Whitlock Yardley Ashworth Bramley Crossley Denholm Eastwick Farrow Goddard Hollis Kirkby Lockwood Marlowe Pemberton Redfern Sheldon Tilney Wetherby",
    ),
    // German
    latin(
        "Anna Britta Carina Dörte Elke Franziska Greta Hannelore Ines Johanna Katharina Lena Marlene Nadine Petra Ronja Sabine Theresa Ulrike Verena Wiebke Annika Birgit Charlotte Friederike Jana Käthe Mareike Silke Svenja",
        "Andreas Björn Christian Dieter Emil Florian Günter Hannes Ingo Jürgen Klaus Lukas Matthias Norbert Oskar Philipp Ralf Sebastian Thorsten Uwe Volker Wolfgang Benedikt Friedrich Henning Jörg Konstantin Malte Rüdiger Sönke",
        "Albrecht Bäumer Claasen Dröger Eichinger Fröhlich Grünwald Hölzl Immenhof Jägersberg Kästner Lindemann Mühlbauer Niederhöfer Oberländer Pfannkuch Rösler Schönfeld Traubner Uhlmann Vöhringer Weißhaupt Zängerle Brückner Dietzel Ehrlinger Förster Gräfe Hüttner Käfer Löwenstein Möhring Osterkamp Püschel Rautenberg Stöckl Thiessen Wagenknecht Ziegler Burmeister",
    ),
    // French
    latin(
        "Adèle Béatrice Camille Delphine Élodie Florence Gaëlle Hélène Inès Juliette Karine Léa Manon Noémie Océane Pauline Romane Solène Thaïs Valérie Anaïs Aurélie Clémence Éloïse Mathilde Margaux Nathalie Sandrine",
        "Adrien Baptiste Cédric Damien Étienne Fabien Grégoire Hugo Ivan Jérôme Kévin Loïc Mathieu Nicolas Olivier Pascal Quentin Rémi Sébastien Théo Valentin Yves Aurélien Benoît Clément François Guillaume Raphaël",
        "Aubertin Beaufils Chevallard Desrosiers Estève Fontanelle Guérinot Hébrard Joubert Lacombe Marchandeau Noiret Ollivier Pélissier Quémener Rochambault Sauvageot Thévenin Vasseur Vignaud Baudry Carpentier Delacroix Fauré Gaudin Lemoine Maréchal Périer Rousselot Tessier",
    ),
    // Spanish
    latin(
        "Alba Beatriz Carmen Dolores Elena Fátima Gabriela Inés Julia Lucía Marta Nuria Olga Paloma Raquel Sofía Teresa Valeria Ximena Yolanda Begoña Concepción Íngrid Jimena",
        "Alejandro Bernardo Carlos Diego Esteban Fernando Gonzalo Héctor Iván Joaquín Luis Manuel Nicolás Óscar Pablo Ramón Sergio Tomás Víctor Xavier Álvaro Andrés Íñigo Raúl",
        "Aguirre Benítez Cabañas Delgado Echeverría Figueroa Galíndez Herrero Ibáñez Jiménez Larrañaga Montañés Núñez Ordóñez Peñalver Quiñones Robledo Salcedo Tordesillas Urrutia Valdés Yáñez Zúñiga Castañeda Muñoz",
    ),
    // Portuguese
    latin(
        "Adriana Beatriz Carolina Daniela Eduarda Fernanda Gabriela Helena Isabela Joana Larissa Mariana Natália Patrícia Rafaela Sílvia Tatiana Vitória Conceição Letícia",
        "André Bruno Caio Diogo Eduardo Fábio Gustavo Henrique Igor João Leonardo Marcelo Nuno Otávio Paulo Rodrigo Sérgio Thiago Vinícius Gonçalo",
        "Albuquerque Barbosa Cardoso Damasceno Esteves Figueiredo Guimarães Henriques Junqueira Lourenço Magalhães Nóbrega Oliveira Pacheco Queiroz Rezende Simões Teixeira Vasconcelos Conceição",
    ),
    // Italian
    latin(
        "Alessia Bianca Chiara Donatella Elisa Federica Ginevra Ilaria Lucrezia Martina Nicoletta Ornella Paola Rossella Serena Tiziana Valentina Carlotta Gaia Miriam",
        "Alessandro Bruno Corrado Davide Enrico Fabrizio Giacomo Ivano Lorenzo Matteo Niccolò Ottavio Pietro Riccardo Stefano Tommaso Umberto Vittorio Edoardo Simone",
        "Amadori Bellandi Castelnuovo Damiani Esposito Fumagalli Giannetti Iacobelli Lombardini Marchesini Negroni Orsini Pellegrini Quaranta Ravaglia Sartori Tagliabue Ubaldi Vescovi Zanardi",
    ),
    // Dutch
    latin(
        "Anouk Brechtje Carlijn Daphne Eline Femke Geertje Hanneke Ilse Jolien Kirsten Lotte Maaike Nienke Petra Roos Sanne Tessel Ursula Willemijn Fleur Loes",
        "Arjen Bas Cornelis Dirk Erik Floris Gijs Hendrik Ivo Jeroen Koen Lars Maarten Niels Pieter Ruben Sander Tijmen Wouter Youri Joost Thijs",
        "Aalders Bakhuis Dekkers Elzinga Feenstra Groeneveld Hoekstra Jansma Kuipers Langendijk Meulenbelt Nieuwland Oosterhuis Postma Roelofs Smeets Terpstra Veldkamp Wiersma Zandstra",
    ),
    // Nordic
    latin(
        "Astrid Birgitta Dagny Elin Freja Gunnhild Hedda Ingrid Johanne Kirsten Linnéa Maja Nanna Oline Pernille Ragnhild Signe Thea Ylva Åsa Sólveig Siiri Aino Päivi",
        "Anders Bjørn Carl Einar Fredrik Gunnar Håkon Ivar Jørgen Kasper Lars Magnus Nils Olav Per Rasmus Søren Torbjörn Ulf Viggo Åke Jón Antti Jyrki",
        "Andersson Bergström Christoffersen Dahlberg Ekelund Forsgren Grønbæk Hägglund Isaksen Jørgensen Kvist Lindqvist Månsson Nygård Østergaard Pålsson Rosenqvist Sjöberg Thorvaldsen Wikström Ødegaard Åström Þórsson Virtanen Mäkelä Korhonen",
    ),
    // Polish
    Culture {
        women: "Agnieszka Barbara Celina Dorota Ewa Grażyna Hanna Iwona Joanna Katarzyna Lucyna Małgorzata Natalia Olga Paulina Renata Stanisława Urszula Wiesława Zofia",
        men: "Andrzej Bartłomiej Cezary Dawid Edward Grzegorz Henryk Ireneusz Jakub Krzysztof Łukasz Michał Norbert Oskar Paweł Rafał Sławomir Tomasz Wojciech Zbigniew",
        family: "Adamczewski Brzozowski Chmielewski Dąbkowski Gałecki Jabłoński Kaczorowski Lisiecki Milewski Niedźwiecki Ostrowski Piątkowski Rogalski Śliwiński Tarnowski Urbański Wierzbicki Zawistowski Żelechowski Czarnecki",
        family_women: "Adamczewska Brzozowska Chmielewska Dąbkowska Gałecka Jabłońska Kaczorowska Lisiecka Milewska Niedźwiecka Ostrowska Piątkowska Rogalska Śliwińska Tarnowska Urbańska Wierzbicka Zawistowska Żelechowska Czarnecka",
        native: None,
    },
    // Czech and Slovak
    Culture {
        women: "Alžběta Barbora Dagmar Eliška Gabriela Hana Jitka Kateřina Lenka Markéta Nela Petra Radka Šárka Tereza Veronika Zdeňka Božena",
        men: "Aleš Bohumil Dušan František Hynek Ivo Jiří Karel Ladislav Miroslav Ondřej Přemysl Radek Štěpán Tomáš Václav Zdeněk Matěj",
        family: "Adámek Bartoš Čermák Doležal Fiala Hruška Jelínek Kolář Lukáš Moravec Novotný Pešek Říha Sedláček Šimek Tichý Vacek Žák",
        family_women: "Adámková Bartošová Čermáková Doležalová Fialová Hrušková Jelínková Kolářová Lukášová Moravcová Novotná Pešková Říhová Sedláčková Šimková Tichá Vacková Žáková",
        native: None,
    },
    // Indian
    latin(
        "Aditi Bhavana Chitra Deepika Esha Gayatri Harini Indira Jyoti Kavya Lakshmi Meera Nandini Pooja Radhika Sangeeta Tanvi Uma Vaishnavi Yamini Ananya Divya Ishita Shreya",
        "Abhinav Bharat Chandan Devendra Ganesh Harish Ishaan Jayesh Karthik Lalit Manish Nikhil Omkar Pranav Rohan Sandeep Tarun Uday Vikram Yash Arjun Dhruv Gaurav Siddharth",
        "Acharya Banerjee Chatterjee Deshpande Gopalan Hegde Iyengar Joshi Kulkarni Lakhani Mahajan Nambiar Ojha Parekh Raghavan Sengupta Thakkar Upadhyay Venkataraman Wagle Bhardwaj Choudhury Mukherjee Srinivasan",
    ),
    // Arabic
    latin(
        "Amal Basma Dalia Farida Ghada Hala Iman Jamila Khadija Layla Mona Nour Rania Salma Tahani Yasmin Zainab Rim Hanan Samira",
        "Adel Bilal Fadi Ghassan Hamza Ibrahim Jamal Karim Mahmoud Nabil Omar Rashid Samir Tariq Walid Youssef Ziad Anas Faisal Hisham",
        "Abboud Barakat Chahine Darwish El-Amin Fakhoury Ghanem Haddad Jaber Kassab Lahoud Mansour Najjar Obeid Qasim Rahal Saleh Tamimi Yazbek Zidan",
    ),
    // Turkish
    latin(
        "Aslı Burcu Ceren Derya Elif Feride Gülşen Hande Işıl Jale Kübra Leyla Meltem Nilüfer Özlem Pınar Seda Şule Tuğba Zeynep",
        "Ahmet Barış Cem Deniz Emre Fatih Gökhan Hakan İlker Kaan Levent Murat Necati Oğuz Ömer Serkan Şahin Tolga Umut Yiğit",
        "Aksoy Başaran Çelikkol Demirtaş Erdoğmuş Gündüz Hazar İnanç Karaçay Öztürk Poyraz Sağlam Şentürk Taşkın Uçar Yıldırım Ateş Bozkurt Günay Kılınç",
    ),
    // West African
    latin(
        "Abena Adaeze Chiamaka Efua Folake Grace Ifeoma Khadijah Mabel Ngozi Oluchi Temitope Uche Yetunde Zainab Akosua Aminata Fatou",
        "Adewale Babatunde Chinedu Dayo Emeka Femi Ibrahim Kwabena Kwame Mamadou Nnamdi Obinna Olumide Seydou Tunde Uchenna Yaw Kofi",
        "Abiola Achebe Adeyemi Amponsah Balogun Boateng Chukwu Danso Diallo Ezeugo Mensah Nwachukwu Obi Ogunleye Okonkwo Owusu Sarpong Traoré",
    ),
    // Chinese
    Culture {
        women: "Mei Xiaoling Yan Jing Lihua Fang Qian Ruoxi Shuang Yuting Zihan Wenjing",
        men: "Wei Jun Haoran Jianguo Lei Minghao Peng Qiang Rui Tao Zhiyuan Yifan",
        family: "Chen Deng Fang Guo He Jiang Liang Luo Pan Qiu Shen Tang Wei Xiao Yuan Zheng",
        family_women: "",
        native: Some(Native {
            women: "梅 晓玲 燕 静 丽华 芳 倩 若曦 爽 雨婷 子涵 文静",
            men: "伟 军 浩然 建国 磊 明浩 鹏 强 睿 涛 志远 一帆",
            family: "陈 邓 方 郭 何 蒋 梁 罗 潘 邱 沈 唐 魏 肖 袁 郑",
            family_women: "",
            family_first: true,
        }),
    },
    // Japanese
    Culture {
        women: "Akiko Chihiro Emi Haruka Keiko Mayumi Naoko Sakura Tomoko Yuki Yoko Misaki",
        men: "Akira Daisuke Hiroshi Ichiro Kenji Makoto Naoki Ryota Satoshi Takumi Yuto Shota",
        family: "Aoki Endo Fujimoto Hasegawa Inoue Kobayashi Matsuda Nakamura Okada Sakamoto Takeda Ueda Watanabe Yoshida Ishikawa Morita",
        family_women: "",
        native: Some(Native {
            women: "明子 千尋 恵美 遥 恵子 真由美 直子 さくら 智子 由紀 洋子 美咲",
            men: "明 大輔 浩 一郎 健二 誠 直樹 涼太 聡 拓海 悠斗 翔太",
            family: "青木 遠藤 藤本 長谷川 井上 小林 松田 中村 岡田 坂本 武田 上田 渡辺 吉田 石川 森田",
            family_women: "",
            family_first: true,
        }),
    },
    // Korean
    Culture {
        women: "Eunji Hyejin Jiwoo Minseo Seoyeon Soomin Yuna Dahye Haeun Nari",
        men: "Dongwook Hyunwoo Jihoon Minjun Sangwoo Taehyun Youngho Jaemin Kyungsoo Seojun",
        family: "Ahn Bae Cho Han Jang Kang Lim Moon Noh Oh Seo Yoon",
        family_women: "",
        native: Some(Native {
            women: "은지 혜진 지우 민서 서연 수민 유나 다혜 하은 나리",
            men: "동욱 현우 지훈 민준 상우 태현 영호 재민 경수 서준",
            family: "안 배 조 한 장 강 임 문 노 오 서 윤",
            family_women: "",
            family_first: true,
        }),
    },
    // Vietnamese
    latin(
        "Bích Dung Hạnh Hương Lan Linh Mai Ngọc Phương Thảo Thúy Trang",
        "Anh Bảo Cường Đức Dũng Hải Hùng Khánh Minh Phúc Quang Tuấn",
        "Bùi Đặng Đỗ Dương Hoàng Lê Lương Ngô Phạm Trần Trịnh Võ",
    ),
    // Ukrainian
    Culture {
        women: "Daryna Halyna Iryna Kateryna Liudmyla Maryna Nadiia Oksana Solomiia Tetiana Viktoriia Zoriana",
        men: "Andrii Bohdan Dmytro Hryhorii Ivan Maksym Mykola Oleksandr Pavlo Roman Taras Yurii",
        family: "Bondarenko Chornovil Demchenko Hnatiuk Ivashchenko Kovalenko Lysenko Marchuk Nechyporenko Onyshchenko Petrenko Savchuk Tkachenko Yaremchuk",
        family_women: "",
        native: Some(Native {
            women: "Дарина Галина Ірина Катерина Людмила Марина Надія Оксана Соломія Тетяна Вікторія Зоряна",
            men: "Андрій Богдан Дмитро Григорій Іван Максим Микола Олександр Павло Роман Тарас Юрій",
            family: "Бондаренко Чорновіл Демченко Гнатюк Іващенко Коваленко Лисенко Марчук Нечипоренко Онищенко Петренко Савчук Ткаченко Яремчук",
            family_women: "",
            family_first: false,
        }),
    },
    // Greek
    Culture {
        women: "Aikaterini Despina Eleni Foteini Ioanna Kalliopi Maria Panagiota Sofia Vasiliki",
        men: "Alexandros Christos Dimitrios Evangelos Georgios Ioannis Konstantinos Nikolaos Panagiotis Stavros",
        family: "Alexiou Christou Dimitriou Georgiou Ioannou Konstantinou Makris Nikolaou Pappas Stavrou",
        family_women: "",
        native: Some(Native {
            women: "Αικατερίνη Δέσποινα Ελένη Φωτεινή Ιωάννα Καλλιόπη Μαρία Παναγιώτα Σοφία Βασιλική",
            men: "Αλέξανδρος Χρήστος Δημήτριος Ευάγγελος Γεώργιος Ιωάννης Κωνσταντίνος Νικόλαος Παναγιώτης Σταύρος",
            family: "Αλεξίου Χρήστου Δημητρίου Γεωργίου Ιωάννου Κωνσταντίνου Μακρής Νικολάου Παππάς Σταύρου",
            family_women: "",
            family_first: false,
        }),
    },
    // Irish
    latin(
        "Aoife Bríd Caoimhe Deirdre Éabha Fionnuala Gráinne Laoise Maeve Niamh Órla Róisín Saoirse Síle Úna",
        "Aidan Brendan Cillian Declan Eoghan Fintan Lorcán Manus Oisín Pádraig Ruairí Séamus Tadhg Colm Diarmuid",
        "Brannigan Corrigan Devlin Fitzsimons Gilhooly Hennessy Kinsella Lafferty McAllister Mulcahy O’Donoghue O’Rourke Quinlivan Rafferty Tierney",
    ),
];
